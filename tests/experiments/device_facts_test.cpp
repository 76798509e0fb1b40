#include "experiments/device_facts.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/raw_facts.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::experiments {
namespace {

using tests::TemporaryFolder;

void put(const TemporaryFolder& root, const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(root.path() + path).parent_path());
  tests::write_file(root.path() + path, text);
}

DeviceFacts facts_of(const TemporaryFolder& root) {
  return device_facts(make_local_target(root.path())->read_facts(fact_patterns(Facts::kAll)));
}

std::string json_of(const DeviceFacts& facts) {
  base::MemoryOutput out;
  base::JsonWriter json(out);
  write_device_facts(json, facts);
  return std::string(out.bytes());
}

TEST(DeviceFacts, ReadWhatAMachineTells) {
  const TemporaryFolder root;
  put(root, "/proc/cpuinfo",
      "processor\t: 0\nFeatures\t: fp asimd sme sme2\nCPU implementer\t: 0x41\nCPU part\t: 0xd80\n\n"
      "processor\t: 1\nFeatures\t: fp\nCPU implementer\t: 0x41\nCPU part\t: 0xd80\n\n"
      "processor\t: 2\nFeatures\t: fp\nCPU implementer\t: 0x41\nCPU part\t: 0xd85\n");
  put(root, "/proc/loadavg", "0.50 0.40 0.30 1/234 5678\n");
  put(root, "/proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n");
  put(root, "/proc/sys/kernel/osrelease", "6.1.0\n");
  put(root, "/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
  put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n");
  put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1200000\n");
  put(root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3000000\n");
  put(root, "/sys/devices/system/cpu/cpu10/cpufreq/scaling_governor", "performance\n");
  put(root, "/sys/class/thermal/thermal_zone0/type", "cpu-0\n");
  put(root, "/sys/class/thermal/thermal_zone0/temp", "41500\n");
  put(root, "/sys/class/thermal/thermal_zone1/temp", "not a number\n");
  const DeviceFacts facts = facts_of(root);
  EXPECT_EQ(
      json_of(facts),
      R"({"cpu_parts":"2 x implementer 0x41 part 0xd80, 1 x implementer 0x41 part 0xd85",)"
      R"("cpu_features":"fp asimd sme sme2","cpu_cores":"3","os":"Debian GNU/Linux 12","kernel":"6.1.0",)"
      R"("affinity":"0-7","load_average":"0.50 0.40 0.30",)"
      R"("cores":[{"core":0,"governor":"schedutil","current_khz":1200000,"max_khz":3000000},)"
      R"({"core":10,"governor":"performance"}],)"
      R"("temperatures":[{"zone":"thermal_zone0","type":"cpu-0","celsius":41.5}]})");
  const DeviceFacts state =
      device_state(make_local_target(root.path())->read_facts(fact_patterns(Facts::kState)));
  EXPECT_EQ(json_of(state), R"({"load_average":"0.50 0.40 0.30","cores":[{"core":0,"current_khz":1200000}],)"
                            R"("temperatures":[{"zone":"thermal_zone0","type":"cpu-0","celsius":41.5}]})");
}

TEST(DeviceFacts, AreAbsentWhereNothingCanBeRead) {
  const TemporaryFolder root;
  EXPECT_EQ(json_of(facts_of(root)), "{}");
  put(root, "/proc/cpuinfo", "");
  put(root, "/proc/loadavg", "\n");
  put(root, "/sys/devices/system/cpu/cpufreq/policy0", "x");
  EXPECT_EQ(json_of(facts_of(root)), "{}");
}

TEST(DeviceFacts, NameTheProcessorOfAPc) {
  const TemporaryFolder root;
  put(root, "/proc/cpuinfo", "processor : 0\nmodel name : Big Core 9000\n");
  EXPECT_EQ(facts_of(root).find("cpu_model"), "Big Core 9000");
  EXPECT_EQ(facts_of(root).find("cpu_cores"), "1");
}

TEST(DeviceFacts, ComeFromAndroidsProperties) {
  RawFacts raw;
  raw.properties = parse_getprop(
      "[ro.build.fingerprint]: [maker/x:15/AB]\r\n[ro.build.version.release]: [15]\n"
      "garbage\n[ro.soc.model]: [SM8750]\n[half\n[ro.product.model]: [A [b] c]\n");
  const DeviceFacts facts = device_facts(raw);
  EXPECT_EQ(facts.find("build_fingerprint"), "maker/x:15/AB");
  EXPECT_EQ(facts.find("os"), "Android 15");
  EXPECT_EQ(facts.find("cpu_model"), "SM8750");
  EXPECT_EQ(facts.find("product"), "A [b] c");
}

TEST(DeviceFacts, ComeFromSysctlOnAMac) {
  RawFacts raw;
  raw.properties = parse_sysctl(
      "machdep.cpu.brand_string: Apple M4\nhw.ncpu: 10\nhw.model: Mac16,1\nkern.osproductversion: 15.1\n"
      "kern.osrelease: 24.1.0\nvm.loadavg: { 1.00 2.00 3.00 }\n");
  EXPECT_EQ(
      json_of(device_facts(raw)),
      R"({"cpu_model":"Apple M4","cpu_cores":"10","os":"macOS 15.1","kernel":"24.1.0","product":"Mac16,1",)"
      R"("load_average":"{ 1.00 2.00 3.00 }"})");
}

TEST(DeviceFacts, ScriptPrintsFilesThatItsReaderFinds) {
  const TemporaryFolder root;
  put(root, "/a/one", "1\n2");
  put(root, "/a/two", "");
  put(root, "/a/three", "3\n\n");
  const std::string script = fact_script({root.path() + "/a/*", root.path() + "/nothing*"});
  const auto result = tests::run_program({"/bin/sh", "-c", script});
  const RawFacts facts = parse_fact_script_output(result.standard_output);
  EXPECT_EQ(facts.files.at(root.path() + "/a/one"), "1\n2");
  EXPECT_EQ(facts.files.at(root.path() + "/a/three"), "3");
  EXPECT_EQ(facts.files.count(root.path() + "/a/two"), 0U);
  EXPECT_EQ(facts.files.count("uname -m"), 1U);
  EXPECT_EQ(facts.files.size(), 3U);
}

TEST(DeviceFacts, OfThisMachineCanBeTaken) {
  const DeviceFacts facts = device_facts(make_local_target()->read_facts(fact_patterns(Facts::kAll)));
  EXPECT_FALSE(facts.find("architecture").empty());
}

}  // namespace
}  // namespace accelscope::experiments
