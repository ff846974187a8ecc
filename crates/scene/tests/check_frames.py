"""Reads a folder of frames with VTK and prints what it found as JSON.

Exit code 3: no VTK here. Anything VTK complains about ends in exit code 1.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree

try:
    from vtkmodules.vtkCommonCore import vtkObject, vtkStringOutputWindow, vtkOutputWindow
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError as error:
    print(f"no VTK: {error}", file=sys.stderr)
    sys.exit(3)

complaints = vtkStringOutputWindow()
vtkOutputWindow.SetInstance(complaints)
vtkObject.GlobalWarningDisplayOn()


def column(array):
    width = array.GetNumberOfComponents()
    rows = (array.GetTuple(row) for row in range(array.GetNumberOfTuples()))
    return [row[0] if width == 1 else list(row) for row in rows]


def columns(attributes):
    arrays = (attributes.GetArray(i) for i in range(attributes.GetNumberOfArrays()))
    return {array.GetName(): column(array) for array in arrays}


def words(field_data, name):
    array = field_data.GetAbstractArray(name)
    return None if array is None else [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    cells = [data.GetCell(i) for i in range(data.GetNumberOfCells())] if data.GetNumberOfCells() < 10000 else []
    field_data = data.GetFieldData()
    return {
        "points": [list(data.GetPoint(i)) for i in range(data.GetNumberOfPoints())],
        "cell_count": data.GetNumberOfCells(),
        "points_per_cell": sorted({data.GetCell(i).GetNumberOfPoints() for i in range(len(cells))}),
        "point_data": columns(data.GetPointData()),
        "cell_data": columns(data.GetCellData()),
        "time": field_data.GetArray("TimeValue").GetValue(0) if field_data.GetArray("TimeValue") else None,
        "groups": words(field_data, "groups"),
        "walls": words(field_data, "walls"),
    }


folder = pathlib.Path(sys.argv[1])
frames = []
for entry in xml.etree.ElementTree.parse(folder / "frames.pvd").getroot().iter("DataSet"):
    found = read(folder / entry.attrib["file"])
    found["timestep"] = float(entry.attrib["timestep"])
    found["part"] = entry.attrib["name"]
    frames.append(found)

if complaints.GetOutput():
    print(complaints.GetOutput(), file=sys.stderr)
    sys.exit(1)
json.dump(frames, sys.stdout)
