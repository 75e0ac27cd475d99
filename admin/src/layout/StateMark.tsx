import { Mark, type MarkProps } from './Mark.tsx'

/** How a state is shown. */
type ShownState = Pick<MarkProps, 'tone' | 'icon'> & { readonly label: string }

interface StateMarkProps {
  readonly state: ShownState
  /** A second line, such as the reason; null: the state stands alone. */
  readonly note: string | null
}

/** A state in a table, and why it is so. */
export function StateMark({ state: { label, tone, icon }, note }: StateMarkProps) {
  return (
    <>
      <Mark tone={tone} icon={icon}>
        {label}
      </Mark>
      {note !== null && <span className="second-line">{note}</span>}
    </>
  )
}

/** The filters of a list, in the order of its states. */
export const stateChoices = (states: Readonly<Record<string, ShownState>>) => [
  { label: 'All', value: undefined },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
]
