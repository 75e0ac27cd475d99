import Block from '@mui/icons-material/Block'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import EventBusyOutlined from '@mui/icons-material/EventBusyOutlined'
import HourglassEmpty from '@mui/icons-material/HourglassEmpty'
import WarningAmber from '@mui/icons-material/WarningAmber'
import type { AdminSubscription } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'
import { STATES } from './words.ts'

const MARKS = {
  incomplete: { tone: 'plain', icon: HourglassEmpty },
  active: { tone: 'ok', icon: CheckCircleOutlined },
  past_due: { tone: 'warn', icon: WarningAmber },
  canceled: { tone: 'warn', icon: EventBusyOutlined },
  disputed: { tone: 'error', icon: ErrorOutlined },
  ended: { tone: 'plain', icon: Block },
} as const

/** The state, and beside it how the provider calls it if that is another word. */
export function SubscriptionState({ subscription }: { subscription: AdminSubscription }) {
  const { state, provider_status, is_surplus, end_reason } = subscription
  const details = [
    ...(provider_status.toLowerCase() === state ? [] : [provider_status]),
    ...(is_surplus ? ['surplus'] : []),
    ...(end_reason === null || (is_surplus && end_reason === 'surplus') ? [] : [end_reason]),
  ]
  return (
    <>
      <Mark {...MARKS[state]}>{STATES[state]}</Mark>
      {details.length > 0 && <span className="second-line">{details.join(', ')}</span>}
    </>
  )
}
