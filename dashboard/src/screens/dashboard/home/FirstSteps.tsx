/** The first steps of a new account: a domain, a router, an answer. The service derives them, and forgets a hidden list for good. */
import { useQuery } from '@tanstack/react-query'
import { type AccountNotice, noticesQuery } from '../../../api/notices.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { noticeHref } from '../../frame/notice-words.ts'
import { useDismissal } from '../../frame/use-dismissal.ts'

/** Somebody who sets up a router waits for the next step. */
const READ_EVERY_MS = 10_000

type Step = NonNullable<AccountNotice['steps']>[number]

function StepLine({ step: { label, is_done }, at }: { step: Step; at: number }) {
  return (
    <li className={is_done ? 'step step-done' : 'step'}>
      <span className="step-mark" aria-hidden="true">
        {is_done ? <Icon name="check" size={16} /> : at + 1}
      </span>
      <span>
        {label}
        {is_done && <span className="visually-hidden"> (done)</span>}
      </span>
    </li>
  )
}

function Steps({ notice }: { readonly notice: AccountNotice }) {
  useQuery({ ...noticesQuery, refetchInterval: READ_EVERY_MS })
  const { mutate, isPending } = useDismissal(() => {
    announce('The first steps are hidden.')
    document.getElementById('domains-title')?.focus()
  })
  const { title, text, action, steps = [] } = notice
  return (
    <section className="card first-steps" aria-labelledby="first-steps-title">
      <div className="first-steps-head">
        <h2 id="first-steps-title">{title}</h2>
        <button
          type="button"
          className="text-button"
          aria-disabled={isPending}
          onClick={() => mutate(notice.id)}
        >
          Hide
        </button>
      </div>
      <ol>
        {steps.map((step, at) => (
          <StepLine key={step.label} step={step} at={at} />
        ))}
      </ol>
      <p className="muted">
        {text} <a href={noticeHref(notice)}>{action.label}</a>
      </p>
    </section>
  )
}

export function FirstSteps() {
  const { data: notices } = useQuery(noticesQuery)
  const notice = notices?.find(({ kind }) => kind === 'first-steps')
  return notice === undefined ? null : <Steps notice={notice} />
}
