/** Shows the effects of a change before it is saved. The user's answer is one step of the submission. */
import { useState } from 'react'
import { Confirm } from './Confirm.tsx'

interface ConfirmedAction {
  /** The title of the dialog, and the label of its confirm button. */
  readonly name: { readonly question: string; readonly verb: string }
  readonly effects: readonly string[]
}

interface Question extends ConfirmedAction {
  readonly answer: (isConfirmed: boolean) => void
}

export function Effects({ question }: { question: Question | undefined }) {
  if (question === undefined) return null
  const { name, effects, answer } = question
  return (
    <Confirm
      title={name.question}
      action={name.verb}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    >
      <ul className="effects">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </Confirm>
  )
}

export function useQuestion() {
  const [question, setQuestion] = useState<Question>()
  const ask = async (asked: ConfirmedAction) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setQuestion({ ...asked, answer: resolve })
    const isConfirmed = await promise
    setQuestion(undefined)
    return isConfirmed
  }
  return { question, ask }
}
