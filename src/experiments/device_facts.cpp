#include "experiments/device_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

constexpr std::string_view kCpuFolder = "/sys/devices/system/cpu/cpu";
constexpr std::string_view kThermalFolder = "/sys/class/thermal/";

std::string file_text(const RawFacts& raw, const std::string& path) {
  const auto found = raw.files.find(path);
  return found == raw.files.end() ? std::string() : std::string(trimmed(found->second));
}

std::string property(const RawFacts& raw, const std::string& name) {
  const auto found = raw.properties.find(name);
  return found == raw.properties.end() ? std::string() : found->second;
}

std::string first_of(std::initializer_list<std::string> candidates) {
  for (const std::string& candidate : candidates)
    if (!candidate.empty()) return candidate;
  return {};
}

// The values of a key of /proc/cpuinfo and its like: "model name\t: Something".
std::vector<std::string_view> values_of(std::string_view text, std::string_view key) {
  std::vector<std::string_view> values;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key)
      values.push_back(trimmed(line.substr(colon + 1)));
  }
  return values;
}

std::string first_value(std::string_view text, std::string_view key) {
  const std::vector<std::string_view> values = values_of(text, key);
  return values.empty() ? std::string() : std::string(values.front());
}

// Arm cores have no model name but numbers: "4 x implementer 0x41 part 0xd80, ...".
std::string cpu_parts(std::string_view cpuinfo) {
  const std::vector<std::string_view> implementers = values_of(cpuinfo, "CPU implementer");
  const std::vector<std::string_view> parts = values_of(cpuinfo, "CPU part");
  std::vector<std::pair<std::string, int>> counts;
  for (std::size_t i = 0; i < std::min(implementers.size(), parts.size()); ++i) {
    std::string part = fmt::format("implementer {} part {}", implementers[i], parts[i]);
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == part; });
    if (known == counts.end())
      counts.emplace_back(std::move(part), 1);
    else
      ++known->second;
  }
  std::string words;
  for (const auto& [part, count] : counts)
    words += fmt::format("{}{} x {}", words.empty() ? "" : ", ", count, part);
  return words;
}

std::string os_name(const RawFacts& raw) {
  if (const std::string version = property(raw, "ro.build.version.release"); !version.empty())
    return fmt::format("Android {}", version);
  if (const std::string version = property(raw, "sysctl kern.osproductversion"); !version.empty())
    return fmt::format("macOS {}", version);
  const std::string release = file_text(raw, "/etc/os-release");
  for (const std::string_view line : lines_of(release)) {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    if (!line.starts_with(kKey)) continue;
    std::string_view name = line.substr(kKey.size());
    if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"'))
      name = name.substr(1, name.size() - 2);
    return std::string(name);
  }
  return {};
}

std::string load_average(const RawFacts& raw) {
  const std::string text = file_text(raw, "/proc/loadavg");
  if (text.empty()) return std::string(trimmed(property(raw, "sysctl vm.loadavg")));
  // The first three figures; the rest counts processes.
  std::size_t end = 0;
  for (int figure = 0; figure < 3 && end != std::string::npos; ++figure) end = text.find(' ', end + 1);
  return text.substr(0, end);
}

std::vector<CoreFacts> cores_of(const RawFacts& raw) {
  std::map<std::int64_t, CoreFacts> cores;
  for (const auto& [path, content] : raw.files) {
    if (!path.starts_with(kCpuFolder)) continue;
    const std::string_view rest = std::string_view(path).substr(kCpuFolder.size());
    const std::size_t slash = rest.find('/');
    const auto number = number_in<std::int64_t>(rest.substr(0, std::min(slash, rest.size())));
    if (!number || slash == std::string_view::npos) continue;
    CoreFacts& core = cores[*number];
    core.core = *number;
    const std::string_view what = rest.substr(slash);
    const std::string_view value = trimmed(content);
    if (what == "/cpufreq/scaling_governor") core.governor = value;
    if (what == "/cpufreq/scaling_cur_freq") core.current_khz = number_in<std::int64_t>(value);
    if (what == "/cpufreq/cpuinfo_max_freq") core.max_khz = number_in<std::int64_t>(value);
  }
  std::vector<CoreFacts> list;
  list.reserve(cores.size());
  for (auto& [number, core] : cores) list.push_back(std::move(core));
  return list;
}

std::vector<Temperature> temperatures_of(const RawFacts& raw) {
  std::vector<Temperature> temperatures;
  for (const auto& [path, content] : raw.files) {
    if (!path.starts_with(kThermalFolder) || !path.ends_with("/temp")) continue;
    const auto millidegrees = number_in<std::int64_t>(trimmed(content));
    if (!millidegrees) continue;
    const std::string folder = path.substr(0, path.size() - std::string_view("/temp").size());
    temperatures.push_back({folder.substr(kThermalFolder.size()), file_text(raw, folder + "/type"),
                            static_cast<double>(*millidegrees) / 1000});
  }
  return temperatures;
}

}  // namespace

std::string DeviceFacts::find(std::string_view name) const {
  for (const auto& [key, value] : named)
    if (key == name) return value;
  return {};
}

std::vector<std::string> fact_patterns(Facts which) {
  std::vector<std::string> patterns = {
      "/proc/loadavg", "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq",
      "/sys/class/thermal/thermal_zone*/type", "/sys/class/thermal/thermal_zone*/temp"};
  if (which == Facts::kState) return patterns;
  patterns.insert(patterns.end(),
                  {"/proc/cpuinfo", "/proc/self/status", "/proc/sys/kernel/osrelease", "/etc/os-release",
                   "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor",
                   "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/cpuinfo_max_freq"});
  return patterns;
}

DeviceFacts device_facts(const RawFacts& raw) {
  DeviceFacts facts;
  const auto add = [&](std::string_view name, std::string value) {
    if (!value.empty()) facts.named.emplace_back(name, std::move(value));
  };
  const std::string cpuinfo = file_text(raw, "/proc/cpuinfo");
  add("cpu_model",
      first_of({first_value(cpuinfo, "model name"), property(raw, "ro.soc.model"),
                first_value(cpuinfo, "Hardware"), property(raw, "sysctl machdep.cpu.brand_string")}));
  add("cpu_parts", cpu_parts(cpuinfo));
  add("cpu_features", first_value(cpuinfo, "Features"));
  const std::size_t processors = values_of(cpuinfo, "processor").size();
  add("cpu_cores", processors > 0 ? fmt::format("{}", processors) : property(raw, "sysctl hw.ncpu"));
  add("architecture", first_of({file_text(raw, "uname -m"), property(raw, "ro.product.cpu.abi")}));
  add("os", os_name(raw));
  add("kernel",
      first_of({file_text(raw, "/proc/sys/kernel/osrelease"), property(raw, "sysctl kern.osrelease")}));
  add("build_fingerprint", property(raw, "ro.build.fingerprint"));
  add("product", first_of({property(raw, "ro.product.model"), property(raw, "sysctl hw.model")}));
  add("affinity", first_value(file_text(raw, "/proc/self/status"), "Cpus_allowed_list"));
  add("load_average", load_average(raw));
  facts.cores = cores_of(raw);
  facts.temperatures = temperatures_of(raw);
  return facts;
}

DeviceFacts device_state(const RawFacts& raw) {
  DeviceFacts facts = device_facts(raw);
  std::erase_if(facts.named, [](const auto& fact) { return fact.first != "load_average"; });
  return facts;
}

void write_device_facts(base::JsonWriter& json, const DeviceFacts& facts) {
  json.begin_object();
  for (const auto& [name, value] : facts.named) json.member(name, value);
  if (!facts.cores.empty()) {
    json.key("cores").begin_array();
    for (const CoreFacts& core : facts.cores) {
      json.begin_object();
      json.member("core", core.core);
      if (!core.governor.empty()) json.member("governor", core.governor);
      if (core.current_khz) json.member("current_khz", *core.current_khz);
      if (core.max_khz) json.member("max_khz", *core.max_khz);
      json.end_object();
    }
    json.end_array();
  }
  if (!facts.temperatures.empty()) {
    json.key("temperatures").begin_array();
    for (const Temperature& temperature : facts.temperatures) {
      json.begin_object();
      json.member("zone", temperature.zone);
      if (!temperature.type.empty()) json.member("type", temperature.type);
      json.member("celsius", temperature.celsius);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace accelscope::experiments
