// How calls that take long are ended.
#include "bindings/bindings.hpp"
#include "bindings/unlocked.hpp"

namespace lastcard {

void bind_stop(nb::module_& module) {
    follow_python();
    nb::exception<Stopped>(module, "Stopped", PyExc_Exception);
    nb::class_<StopFlag>(module, "StopFlag")
        .def(nb::init<>())
        .def("set", [](StopFlag& flag) { flag.is_set->store(true); })
        .def_prop_ro("is_set", [](const StopFlag& flag) { return flag.is_set->load(); });
    module.def(
        "use_stop_flag", [](const std::optional<StopFlag>& flag) { return std::exchange(stop_flag, flag); },
        nb::arg("flag").none(), "Gives this thread the flag that ends its calls; returns the one it had.");
    module.def("give_way", [] { gives_way = true; });
}

}  // namespace lastcard
