#include "util/thread_pool.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace woodstock {

ThreadPool::ThreadPool(unsigned threads) {
  try {
    for (unsigned i = 1; i < std::max(threads, 1U); ++i) {
      threads_.emplace_back([this, i] { work(i); });
    }
  } catch (...) {
    end();  // those that were started
    throw;
  }
}

ThreadPool::~ThreadPool() { end(); }

void ThreadPool::end() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t, unsigned)>& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    ++round_;
    busy_ = static_cast<unsigned>(threads_.size());
  }
  wake_.notify_all();
  drain(0);
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(unsigned worker) {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    drain(worker);
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    idle_.notify_one();
  }
}

void ThreadPool::drain(unsigned worker) {
  for (;;) {
    std::size_t i = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_) return;
      i = next_++;
    }
    try {
      (*task_)(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = count_;
    }
  }
}

}  // namespace woodstock
