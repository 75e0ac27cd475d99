import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { ReactNode } from 'react'
import type { TargetCheck, WebForward } from '../../api/web-forwards.ts'
import { FALLBACK_TEXTS, FINDING_NAMES } from './forward-words.ts'

interface CheckResultProps {
  readonly check: TargetCheck
  readonly type: WebForward['forwarding_type']
  readonly children?: ReactNode
}

const FRAMES: Readonly<Record<TargetCheck['frames'], string>> = {
  allowed: 'The target can be shown in a frame.',
  refused: 'The target refuses to be shown in a frame.',
  unknown: 'Whether the target can be shown in a frame is unknown.',
}

function Hops({ hops }: Pick<TargetCheck, 'hops'>) {
  return (
    <ol className="forward-hops" aria-label="Way to the target">
      {hops.map(({ url, status }, at) => (
        // The same URL can occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${url} ${at}`}>
          <span className="monospace">{url}</span>{' '}
          <span className="badge">{status === null ? 'no response' : status}</span>
        </li>
      ))}
    </ol>
  )
}

/** What happens instead of a frame, or that the target can be shown in one. */
export function FrameOutcome({ check: { fallback, frames } }: Pick<CheckResultProps, 'check'>) {
  return <p>{fallback === null ? FRAMES[frames] : FALLBACK_TEXTS[fallback]}</p>
}

/** What a check found: the outcome and each hop. For stealth, a target with a fallback is a warning. */
export function CheckResult({ check, type, children }: CheckResultProps) {
  const { finding, message, hops, fallback } = check
  const isGood = finding === 'reachable' && (type === 'redirect' || fallback === null)
  return (
    <div className="forward-check-result">
      <p className={isGood ? 'forward-finding forward-finding-good' : 'forward-finding'}>
        <Icon name={isGood ? 'success' : 'warning'} size={16} />
        <span>
          <strong>{FINDING_NAMES[finding]}.</strong> {message}
        </span>
      </p>
      {hops.length > 0 && <Hops hops={hops} />}
      {children}
    </div>
  )
}
