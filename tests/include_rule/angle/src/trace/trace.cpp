#include <base/text.h>
