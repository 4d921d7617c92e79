// Counts how often the current thread has asked for memory, by standing in for the C library's allocator.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// Whether allocations are counted: with glibc, and not under a sanitizer, which has an allocator of its own.
int allocation_counter_is_available(void);

/// How many times the calling thread has allocated memory so far.
long allocation_counter_count(void);

#endif
