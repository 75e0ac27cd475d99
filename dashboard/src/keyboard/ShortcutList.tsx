/** Shortcuts and what they do. */
import { useId } from 'react'
import { Keys } from '../components/Keys.tsx'
import { usePageActionList } from './page-actions.ts'
import { isSingleKey, keysOf, SHORTCUT_NAMES, type ShortcutName, SHORTCUTS } from './shortcuts.ts'
import { useShortcutsOn } from './shortcut-setting.ts'
import './shortcuts.css'

interface Row {
  readonly name: ShortcutName
  readonly text: string
}

interface RowsProps {
  readonly title: string
  readonly rows: readonly Row[]
}

function Rows({ title, rows }: RowsProps) {
  const areOn = useShortcutsOn()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl className="shortcut-rows">
        {rows.map(({ name, text }) => (
          <div key={name} className={areOn || !isSingleKey(name) ? '' : 'shortcut-off'}>
            <dt>{text}</dt>
            <dd>
              <Keys {...keysOf(name)} />
              {!areOn && isSingleKey(name) && <span className="visually-hidden"> (off)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const isOnEveryScreen = (name: ShortcutName): boolean =>
  name !== 'search' && name !== 'create' && name !== 'save'

const ON_EVERY_SCREEN = SHORTCUT_NAMES.filter(isOnEveryScreen)

/** The shortcuts of all screens. */
export function GeneralShortcuts() {
  const rows = ON_EVERY_SCREEN.map((name) => ({ name, text: SHORTCUTS[name].text }))
  return <Rows title="On every screen" rows={rows} />
}

/** The shortcuts to which the current screen gives a meaning. */
export function ScreenShortcuts() {
  const rows = usePageActionList().flatMap(({ shortcut, label }) =>
    shortcut === undefined ? [] : [{ name: shortcut, text: label }],
  )
  // A key runs the first of its actions.
  const first = rows.filter(({ name }, at) => rows.findIndex((row) => row.name === name) === at)
  return first.length === 0 ? null : <Rows title="On this screen" rows={first} />
}
