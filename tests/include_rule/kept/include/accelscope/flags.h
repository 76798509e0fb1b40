#pragma once
#include <stdint.h>

#include "accelscope/words.h"
