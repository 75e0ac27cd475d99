import { Component, type ReactNode } from 'react'
import { Failure } from './Failure.tsx'
import { notify } from './Notices.tsx'

const NOT_LOADED = 'This part of the page could not be loaded.'

interface LoadBoundaryProps {
  readonly children: ReactNode
  /** For parts without a place in the page, such as dialogs: a notice says what happened. */
  readonly isNotice?: boolean
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
    const { isNotice = false, onFailure } = this.props
    if (isNotice) {
      const action = { label: 'Reload', run: () => location.reload() }
      notify({ kind: 'failure', text: NOT_LOADED, action })
    }
    // React finishes this render first.
    if (onFailure) queueMicrotask(onFailure)
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children, isNotice = false } = this.props
    if (error === undefined) return children
    if (isNotice) return null
    // The browser keeps a failed module, so only a reload requests it again.
    const told = new Error(NOT_LOADED, { cause: error })
    return <Failure error={told} onRetry={() => location.reload()} />
  }
}
