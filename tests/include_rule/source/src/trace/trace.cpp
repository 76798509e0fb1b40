#include "trace/other.cpp"
