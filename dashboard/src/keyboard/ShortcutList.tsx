/** Shortcuts and what they do. */
import { useId } from 'react'
import { Keys, type KeysProps } from '../components/Keys.tsx'
import { useListKeys } from './list-keys.ts'
import { usePageActionList } from './page-actions.ts'
import { isSingleKey, keysOf, SHORTCUT_NAMES, type ShortcutName, SHORTCUTS } from './shortcuts.ts'
import { useShortcutsOn } from './shortcut-setting.ts'
import './shortcuts.css'

interface Row {
  readonly keys: KeysProps
  readonly text: string
  /** Whether the user can turn it off. */
  readonly isOptional: boolean
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
        {rows.map(({ keys, text, isOptional }) => (
          <div key={text} className={areOn || !isOptional ? '' : 'shortcut-off'}>
            <dt>{text}</dt>
            <dd>
              <Keys {...keys} />
              {!areOn && isOptional && <span className="visually-hidden"> (off)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const rowOf = (name: ShortcutName, text: string): Row => ({
  keys: keysOf(name),
  text,
  isOptional: isSingleKey(name),
})

const isOnEveryScreen = (name: ShortcutName): boolean =>
  name !== 'search' && name !== 'create' && name !== 'save'

const ON_EVERY_SCREEN = SHORTCUT_NAMES.filter(isOnEveryScreen)

/** The shortcuts of all screens. */
export function GeneralShortcuts() {
  const rows = ON_EVERY_SCREEN.map((name) => rowOf(name, SHORTCUTS[name].text))
  return <Rows title="On every screen" rows={rows} />
}

/** The shortcuts to which the current screen gives a meaning. */
export function ScreenShortcuts() {
  const rows = usePageActionList().flatMap(({ shortcut, label }) =>
    shortcut === undefined ? [] : [{ name: shortcut, text: label }],
  )
  // A key runs the first of its actions.
  const first = rows.filter(({ name }, at) => rows.findIndex((row) => row.name === name) === at)
  const shown = first.map(({ name, text }) => rowOf(name, text))
  return shown.length === 0 ? null : <Rows title="On this screen" rows={shown} />
}

/** The keys of the lists of the current screen. */
export function ListShortcuts() {
  return useListKeys().map(({ title, rows }) => (
    <Rows
      key={title}
      title={title}
      rows={rows.map(({ keys, text, isLetter }) => ({
        keys: { keys, isSequence: false },
        text,
        isOptional: isLetter,
      }))}
    />
  ))
}
