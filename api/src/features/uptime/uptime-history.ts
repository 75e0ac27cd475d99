/** The uptime of one domain by parts of time, and of all domains of an account. */
import type { UptimeHistory, UptimeSummary } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { history } from '../../monitoring/store/durations.ts'
import { summary } from '../../monitoring/store/summary.ts'
import { type AskedRange, historyRange } from '../../rules/history-range.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findMonitor } from './shown-monitors.ts'
