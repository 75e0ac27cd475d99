/** The set-up: enter a domain, add glue records at the registrar, verify. What the service knows says which step is next. */
import { dayText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import type { OwnZone, VanityStatus } from '../../api/own-zones.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { CheckFacts, CheckTimes } from '../own-zones/CheckResult.tsx'
import { NameServerTable } from '../own-zones/NameServerTable.tsx'
import { RegistrarGuides } from '../own-zones/RegistrarGuides.tsx'
import { RegistrarNotes } from '../own-zones/RegistrarNotes.tsx'
import { Tasks } from '../own-zones/Tasks.tsx'
import type { VanityCheck } from '../own-zones/use-verify.ts'
import { VerifyButton } from '../own-zones/VerifyButton.tsx'
import { extraTasks, isRegistrarDone } from '../own-zones/zone-words.ts'
import { RemoveCard } from './RemoveCard.tsx'
import { SetUpForm } from './SetUpForm.tsx'

type StepState = 'done' | 'now' | 'next'

const WORDS: Readonly<Record<StepState, string>> = { done: 'Done', now: 'Now', next: 'Next' }

interface StepProps {
  readonly number: number
  readonly title: string
  readonly state: StepState
  readonly children: ReactNode
}

/** Gets the focus when the step before it is done, because the button that did it is gone. */
function Step({ number, title, state, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(state)
  useEffect(() => {
    const isReached = last.current === 'next' && state === 'now'
    last.current = state
    if (isReached && document.activeElement === document.body) heading.current?.focus()
  }, [state])
  return (
    <li
      className={`card section-card own-step own-step-${state}`}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <h2 ref={heading} tabIndex={-1} className="own-step-head">
        <span className="own-step-mark" aria-hidden="true">
          {state === 'done' ? <Icon name="check" size={16} /> : number}
        </span>
        <span>{title}</span>
        <span className={state === 'done' ? 'badge badge-on' : 'badge'}>{WORDS[state]}</span>
      </h2>
      {children}
    </li>
  )
}

interface SetUpStepsProps {
  /** Undefined until a domain is set up. */
  readonly zone: OwnZone | null
  readonly status: VanityStatus
  readonly verify: VanityCheck
  readonly onSetUp: () => void
  readonly onRemove: () => void
}

const TITLES = [
  'Enter your domain',
  'Add the glue records at your registrar',
  'Verify the name servers',
] as const

/** The step that the user is at, from 0. */
function stepOf(zone: OwnZone | null): number {
  if (zone === null) return 0
  return isRegistrarDone(zone) && extraTasks(zone).length === 0 ? 2 : 1
}

function Chosen({ zone }: { readonly zone: OwnZone }) {
  return (
    <>
      <p>
        Your name servers are names in{' '}
        <strong>
          <DomainName fqdn={zone.zone} />
        </strong>
        .
      </p>
      {zone.expires_at !== null && (
        <p className="muted">
          Your claim of the domain waits for its proof until {dayText(zone.expires_at)}.
        </p>
      )}
    </>
  )
}

function AtRegistrar({ zone }: { readonly zone: OwnZone }) {
  return (
    <>
      <Tasks zone={zone} />
      <p>
        Create these glue records at the registrar of {zone.zone}, and then set both host names as
        its {extraTasks(zone).length === 0 && 'only '}name servers.
      </p>
      <NameServerTable servers={zone.nameservers} hasGlue />
      <RegistrarNotes zone={zone} />
      <RegistrarGuides hasGlue />
    </>
  )
}

function Verification({
  zone,
  verify,
}: Pick<SetUpStepsProps, 'verify'> & { readonly zone: OwnZone }) {
  return (
    <>
      <p>
        Verify checks every server of the parent zone. A change at a registrar can take from a
        minute to a day.
      </p>
      <VerifyButton verify={verify} label="Verify" isMain />
      <CheckTimes zone={zone} />
      <CheckFacts zone={zone} />
    </>
  )
}

export function SetUpSteps({ zone, status, verify, onSetUp, onRemove }: SetUpStepsProps) {
  const at = stepOf(zone)
  const stateOf = (step: number): StepState => (step < at ? 'done' : step === at ? 'now' : 'next')
  return (
    <>
      <ol className="own-steps" aria-label="Steps of the set-up">
        <Step number={1} title={TITLES[0]} state={stateOf(0)}>
          {zone === null ? <SetUpForm onDone={onSetUp} /> : <Chosen zone={zone} />}
        </Step>
        <Step number={2} title={TITLES[1]} state={stateOf(1)}>
          {zone === null ? (
            <p className="muted">
              You get two host names with their addresses, and enter them where you registered the
              domain.
            </p>
          ) : (
            <AtRegistrar zone={zone} />
          )}
        </Step>
        <Step number={3} title={TITLES[2]} state={stateOf(2)}>
          {zone === null ? (
            <p className="muted">We check the parent zone and show what is missing.</p>
          ) : (
            <Verification zone={zone} verify={verify} />
          )}
        </Step>
      </ol>
      {zone !== null && <RemoveCard zone={zone} status={status} onRemove={onRemove} />}
    </>
  )
}
