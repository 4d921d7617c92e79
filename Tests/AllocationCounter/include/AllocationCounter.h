// Counts the current thread's allocations by replacing the C library's allocator.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// Whether allocations are counted: with glibc, but not under a sanitizer, which has its own allocator.
int allocation_counter_is_available(void);

/// The number of allocations by the calling thread so far.
long allocation_counter_count(void);

#endif
