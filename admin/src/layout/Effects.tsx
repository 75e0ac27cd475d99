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
  // Keep the text while the closing dialog fades out.
  const [last, setLast] = useState<Question>()
  if (question !== undefined && question !== last) setLast(question)
  return (
    <Confirm
      isOpen={question !== undefined}
      title={last?.name.question ?? ''}
      action={last?.name.verb ?? ''}
      onConfirm={() => question?.answer(true)}
      onCancel={() => question?.answer(false)}
    >
      <ul className="effects">
        {last?.effects.map((effect) => (
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
