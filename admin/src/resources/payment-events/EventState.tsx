import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import HelpOutlined from '@mui/icons-material/HelpOutlined'
import HourglassEmpty from '@mui/icons-material/HourglassEmpty'
import RemoveCircleOutlined from '@mui/icons-material/RemoveCircleOutlined'
import type { AdminPaymentEvent } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

export const STATES: Readonly<Record<AdminPaymentEvent['state'], string>> = {
  pending: 'Pending',
  applied: 'Applied',
  ignored: 'Ignored',
  'unknown-account': 'Unknown account',
  failed: 'Failed',
}

const MARKS = {
  pending: { tone: 'plain', icon: HourglassEmpty },
  applied: { tone: 'ok', icon: CheckCircleOutlined },
  ignored: { tone: 'plain', icon: RemoveCircleOutlined },
  'unknown-account': { tone: 'warn', icon: HelpOutlined },
  failed: { tone: 'error', icon: ErrorOutlined },
} as const

export function EventState({ event: { state, error } }: { event: AdminPaymentEvent }) {
  return (
    <>
      <Mark {...MARKS[state]}>{STATES[state]}</Mark>
      {error !== null && <span className="second-line breakable">{error}</span>}
    </>
  )
}
