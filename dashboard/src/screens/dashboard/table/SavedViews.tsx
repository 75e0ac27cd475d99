/** Saved views of the table as links, and the button that saves the current one. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import type { DomainListRequest } from '../../../api/domain-list.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { go, hashOf } from '../../../routes.ts'
import { nameOfView, useSavedViews, type View, viewOf, VIEWS_LIMIT } from './saved-views.ts'
import './saved-views.css'

const hashOfView = (view: View) =>
  hashOf('dashboard', Object.fromEntries(new URLSearchParams(view)))

export function SavedViews({ list }: { readonly list: DomainListRequest }) {
  const [views, save] = useSavedViews()
  const current = viewOf(list)
  const canSave = current !== '' && !views.includes(current) && views.length < VIEWS_LIMIT
  const add = () => save([...views, current])
  usePageActions([
    ...(canSave ? [{ label: 'Save This View', icon: 'add', run: add } as const] : []),
    ...views.map((view) => ({
      label: `View: ${nameOfView(view)}`,
      icon: 'search' as const,
      run: () => go(hashOfView(view)),
    })),
  ])
  function remove(view: View): void {
    save(views.filter((each) => each !== view))
    notify({
      kind: 'success',
      text: `The view “${nameOfView(view)}” was removed.`,
      action: { label: 'Undo', run: () => save(views) },
    })
  }
  if (views.length === 0 && !canSave) return null
  return (
    <nav className="saved-views" aria-label="Saved views">
      {views.map((view) => (
        <span key={view} className="saved-view">
          <a
            className="badge"
            href={hashOfView(view)}
            aria-current={view === current ? 'true' : undefined}
          >
            <bdi>{nameOfView(view)}</bdi>
          </a>
          <button
            type="button"
            aria-label={`Remove the view ${nameOfView(view)}`}
            onClick={() => remove(view)}
          >
            <Icon name="close" size={14} />
          </button>
        </span>
      ))}
      {canSave && (
        <button type="button" className="save-view" onClick={add}>
          Save This View
        </button>
      )}
    </nav>
  )
}
