#include "experiments/raw_facts.h"

#include <fmt/core.h>

#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

constexpr std::string_view kMarker = "@@accelscope ";

}  // namespace

std::map<std::string, std::string> parse_getprop(std::string_view text) {
  std::map<std::string, std::string> properties;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t middle = line.find("]: [");
    if (!line.starts_with('[') || !line.ends_with(']') || middle == std::string_view::npos) continue;
    const std::string_view value = line.substr(middle + 4, line.size() - middle - 5);
    properties.emplace(line.substr(1, middle - 1), value);
  }
  return properties;
}

std::map<std::string, std::string> parse_sysctl(std::string_view text) {
  std::map<std::string, std::string> properties;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      properties.emplace(fmt::format("sysctl {}", line.substr(0, colon)), line.substr(colon + 2));
  }
  return properties;
}

std::string fact_script(const std::vector<std::string>& patterns) {
  // The patterns are ours and must stay unquoted: the device's shell expands them.
  std::string script = "for f in";
  for (const std::string& pattern : patterns) script += " " + pattern;
  script += fmt::format("; do if [ -r \"$f\" ]; then echo \"{0}$f\"; cat \"$f\"; echo; fi; done 2>/dev/null",
                        kMarker);
  script += fmt::format("; echo \"{0}uname -m\"; uname -m; echo \"{0}getprop\"; getprop 2>/dev/null; true",
                        kMarker);
  return script;
}

RawFacts parse_fact_script_output(std::string_view text) {
  RawFacts facts;
  std::string name;
  std::string content;
  const auto finish = [&] {
    while (content.ends_with('\n')) content.pop_back();
    if (name == "getprop")
      facts.properties = parse_getprop(content);
    else if (!name.empty() && !content.empty())
      facts.files[name] = content;
    content.clear();
  };
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with(kMarker)) {
      finish();
      name = line.substr(kMarker.size());
    } else {
      content.append(line).push_back('\n');
    }
  }
  finish();
  return facts;
}

}  // namespace accelscope::experiments
