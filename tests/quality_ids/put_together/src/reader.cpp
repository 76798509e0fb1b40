const char* kIds[] = {"csv.short_row", "{}.unknown_unit"};
