import { Component, type ReactNode } from 'react'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { ScreenTitle } from './ScreenTitle.tsx'

const NOT_LOADED = 'This part of the page could not be loaded.'

const reload = () => location.reload()

interface LoadBoundaryProps {
  readonly children: ReactNode
  /**
   * Where the error is shown: in place of the part, as a screen of its own, or as a notice for parts without a place in
   * the page, such as dialogs.
   */
  readonly showsIn?: 'part' | 'screen' | 'notice'
  readonly onFailure?: () => void
}

interface LoadBoundaryState {
  readonly error?: Error
}

/** Keeps the page when the code of a part of it cannot be loaded, and offers to load the page again. */
export class LoadBoundary extends Component<LoadBoundaryProps, LoadBoundaryState> {
  override readonly state: LoadBoundaryState = {}

  static getDerivedStateFromError(error: Error): LoadBoundaryState {
    return { error }
  }

  override componentDidCatch(): void {
    const { showsIn, onFailure } = this.props
    if (showsIn === 'notice') {
      notify({ kind: 'failure', text: NOT_LOADED, action: { label: 'Reload', run: reload } })
    }
    // React finishes this render first.
    if (onFailure) queueMicrotask(onFailure)
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children, showsIn = 'part' } = this.props
    if (error === undefined) return children
    if (showsIn === 'notice') return null
    // The browser keeps a failed module, so only a reload requests it again.
    const failure = <Failure error={new Error(NOT_LOADED, { cause: error })} onRetry={reload} />
    if (showsIn === 'part') return failure
    return (
      <main tabIndex={-1} className="page">
        <ScreenTitle title="Page not loaded" />
        {failure}
      </main>
    )
  }
}
