#pragma once

// Nothing to call: what an executable needs before any other code runs is done by a constructor, see CProcessStart.c.
