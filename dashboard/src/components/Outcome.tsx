/** The heading of a screen that reports how something ended, with its sign. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { ScreenTitle } from './ScreenTitle.tsx'

interface OutcomeProps {
  readonly isGood: boolean
  readonly title: string
}

export function Outcome({ isGood, title }: OutcomeProps) {
  return (
    <div className={isGood ? 'outcome outcome-good' : 'outcome outcome-bad'}>
      <Icon name={isGood ? 'success' : 'failure'} size={40} />
      <ScreenTitle title={title} />
    </div>
  )
}
