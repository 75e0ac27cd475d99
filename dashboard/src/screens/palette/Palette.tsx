/** The command palette: what the user can do here, where they can go, and their domains and API keys. */
import Dialog from '@mui/material/Dialog'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { meQuery } from '../../api/account.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useScrollLock } from '@homing/theme/parts/scroll-lock.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { showOverlay } from '../../keyboard/overlay.ts'
import { usePageActionList } from '../../keyboard/page-actions.ts'
import { SIGN_OUT } from '../frame/sign-out.ts'
import { actionEntries, type Entry, type Group, matching, placeEntries } from './entries.ts'
import { optionId, Results } from './Results.tsx'
import { useFound } from './use-found.ts'
import './palette.css'

/** The groups that match, without the empty ones, and the state of the search at the service. */
function useGroups(text: string) {
  const { user } = useSession()
  const { data: me } = useQuery(meQuery)
  const { mutate: logOut } = useWrite(SIGN_OUT)
  const typed = text.trim()
  const found = useFound(typed)
  const places = placeEntries({
    isAdmin: user?.account_type === 'admin',
    hasVanity: me?.limits.abilities.includes('vanity_ns') === true,
    onOverview: () => showOverlay('overview'),
    onLogout: () => logOut(),
  })
  const groups: readonly Group[] = [
    { title: 'On this page', entries: matching(actionEntries(usePageActionList()), typed) },
    { title: 'Go to', entries: matching(places, typed) },
    ...found.groups,
  ]
  return { ...found, groups: groups.filter(({ entries }) => entries.length > 0) }
}

/** The entry after another in the list, which is a circle. */
function entryBeside(entries: readonly Entry[], active: Entry | undefined, step: number) {
  const at = active === undefined ? -1 : entries.indexOf(active)
  return entries[(at + step + entries.length) % entries.length]
}

function statusText(count: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…'
  return count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`
}

export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [activeId, setActiveId] = useState<string>()
  const { groups, isSearching, error, retry } = useGroups(text)
  const listId = useId()
  useScrollLock()
  const entries = groups.flatMap((group) => group.entries)
  const active = entries.find(({ id }) => id === activeId) ?? entries[0]

  function choose(entry: Entry | undefined): void {
    if (entry === undefined || entry.isDisabled === true) return
    // The focus first returns to where it was, and then moves to where the entry leads.
    flushSync(onClose)
    entry.run()
  }
  function press(event: KeyboardEvent): void {
    // An input method uses these keys for itself.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') choose(active)
    else if (event.key === 'ArrowDown') setActiveId(entryBeside(entries, active, 1)?.id)
    else if (event.key === 'ArrowUp') setActiveId(entryBeside(entries, active, -1)?.id)
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      open
      disableScrollLock
      fullWidth
      maxWidth="sm"
      className="palette"
      transitionDuration={0}
      slotProps={{ paper: { 'aria-label': 'Command palette' } }}
      onClose={onClose}
    >
      <div className="palette-head">
        <Icon name="search" />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-label="Search actions, places, domains and API keys"
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          placeholder="Search or go to…"
          value={text}
          maxLength={253}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="go"
          onKeyDown={press}
          onChange={(event) => {
            setText(event.target.value)
            setActiveId(undefined)
          }}
        />
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="palette-body">
        {error && <Failure error={error} onRetry={retry} />}
        {entries.length === 0 && (
          <p className="palette-empty muted">
            {isSearching ? 'Searching…' : `Nothing matches “${text.trim()}”.`}
          </p>
        )}
        <Results
          id={listId}
          groups={groups}
          active={active}
          onActive={({ id }) => setActiveId(id)}
          onChoose={choose}
        />
      </div>
      <span role="status" className="visually-hidden">
        {text.trim() === '' ? '' : statusText(entries.length, isSearching)}
      </span>
    </Dialog>
  )
}
