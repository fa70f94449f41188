// The Python module `lastcard._probe`: tells which code paths this CPU can run, before a core is loaded.
//
// Plain C API: a second module of nanobind would share its registry of types with the core.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "cpu/cpu.hpp"

namespace {

PyObject* code_paths(PyObject*, PyObject*) {
    if (!lastcard::has_x86_64_v3()) return Py_BuildValue("(s)", lastcard::BASELINE);
    return Py_BuildValue("(ss)", lastcard::BASELINE, lastcard::X86_64_V3);
}

PyMethodDef functions[] = {
    {"code_paths", code_paths, METH_NOARGS, "Returns the code paths that this CPU can run, the fastest last."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_probe",
    "The code paths that this CPU can run.",
    0,
    functions,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__probe() { return PyModuleDef_Init(&definition); }
