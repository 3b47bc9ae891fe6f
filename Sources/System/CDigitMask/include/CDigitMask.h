#pragma once
#include "DenseRows.h"
#include "Unpacking.h"
