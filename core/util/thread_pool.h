// A few threads that wait for work.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace woodstock {

// Threads are started once and reused. The caller works too, so a pool of one has no thread of its
// own. One call at a time.
class ThreadPool {
 public:
  // At least one. Throws std::system_error when the system has no more threads to give.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const noexcept { return static_cast<unsigned>(threads_.size()) + 1; }

  // Calls task(i, worker) for every i below count, each once, on workers 0 .. size()-1, worker 0
  // being the caller. Returns when all have ended. The first exception ends the handing out of work
  // and is thrown here.
  void run(std::size_t count, const std::function<void(std::size_t, unsigned)>& task);

 private:
  void end();
  void work(unsigned worker);
  void drain(unsigned worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  const std::function<void(std::size_t, unsigned)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t round_ = 0;
  unsigned busy_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace woodstock
