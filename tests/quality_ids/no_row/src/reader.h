inline constexpr const char* kIds[] = {"csv.short_row", "csv.long_row"};
