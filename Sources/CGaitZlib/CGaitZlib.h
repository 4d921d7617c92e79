// The system's zlib, by a name that no other package's module will have.
#include <zlib.h>
