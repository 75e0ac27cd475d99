/** Examines the target that was typed, before it is saved. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { checkTarget } from '../../api/web-forwards.ts'
import { CheckResult, FrameOutcome } from './CheckResult.tsx'
import type { ForwardDraft } from './forward-draft.ts'

interface Question {
  readonly target_url: string
  readonly domain_id?: string
}

/** The target, and the domain if it is chosen: the check finds circles by it. */
const questionOf = ({ target_url, domain_id }: ForwardDraft): Question => ({
  target_url: target_url.trim(),
  ...(domain_id !== '' && { domain_id }),
})

const isSame = (one: Question | undefined, other: Question): boolean =>
  one?.target_url === other.target_url && one.domain_id === other.domain_id

export function TargetCheckPanel({ draft }: { readonly draft: ForwardDraft }) {
  const { mutate, data, error, variables, isPending } = useWrite({
    mutationFn: (asked: Question) => checkTarget(asked),
  })
  const { waitSeconds, labelOf } = useHold(error)
  const question = questionOf(draft)
  // What was found about another target says nothing about this one.
  const isCurrent = isSame(variables, question)
  const isIdle = question.target_url !== '' && !isPending && waitSeconds === 0
  return (
    <div className="forward-check">
      <button
        type="button"
        className="line-button"
        aria-disabled={!isIdle}
        aria-describedby="forward-check-help"
        onClick={() => isIdle && mutate(question)}
      >
        {isPending ? 'Checking...' : labelOf('Check Target')}
      </button>
      <p id="forward-check-help" className="field-help">
        {question.target_url === ''
          ? 'Enter a target first.'
          : 'Opens the target as a visitor would, and saves nothing.'}
      </p>
      <div role="status" className="forward-check-outcome">
        {isCurrent && data && !isPending && (
          <CheckResult check={data} type={draft.forwarding_type}>
            {draft.forwarding_type === 'stealth' && <FrameOutcome check={data} />}
          </CheckResult>
        )}
      </div>
      {isCurrent && error && <Failure error={error} otherwise="Failed to check the target" />}
    </div>
  )
}
