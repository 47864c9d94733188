/*
 * The analyzer, as the rooms above it see it. The headers beside this one are its interface; those
 * in its folders are its own business.
 *
 *   text --parse_unit--> struct unit --facts_collect--> struct loop_facts
 *        --analysis_run--> struct analysis
 */
#ifndef ORRERY_ANALYZER_ANALYZER_H
#define ORRERY_ANALYZER_ANALYZER_H

/* Memory, tables, bounds on the work, messages. */
#include "analyzer/arena.h"
#include "analyzer/budget.h"
#include "analyzer/diag.h"
#include "analyzer/messages.h"
#include "analyzer/table.h"

/* C text as data, its loops and their pragmas, functions of other files. */
#include "analyzer/effects.h"
#include "analyzer/import.h"
#include "analyzer/ir.h"
#include "analyzer/ir_visit.h"
#include "analyzer/lex.h"
#include "analyzer/parse.h"
#include "analyzer/pragma.h"

/* What a loop touches, and which of its iterations depend on each other. */
#include "analyzer/analysis.h"
#include "analyzer/conflict.h"
#include "analyzer/facts.h"
#include "analyzer/linear.h"

#endif
