import { Fragment } from 'react'

export interface KeysProps {
  readonly keys: readonly string[]
  /** The keys are pressed one after the other, not at once. */
  readonly isSequence: boolean
}

/** The keys of a shortcut: `Ctrl K`, `g then d`. */
export function Keys({ keys, isSequence }: KeysProps) {
  return (
    <span className="keys">
      {keys.map((key, at) => (
        <Fragment key={key}>
          {isSequence && at > 0 && <span className="keys-then"> then </span>}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  )
}
