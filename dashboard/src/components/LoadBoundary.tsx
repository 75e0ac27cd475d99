import { Component, type ReactNode } from 'react'
import { Failure } from './Failure.tsx'

interface LoadBoundaryState {
  readonly error?: Error
}

/** Keeps the page when the code of a part of it cannot be loaded, and offers to load the page again. */
export class LoadBoundary extends Component<{ readonly children: ReactNode }, LoadBoundaryState> {
  override readonly state: LoadBoundaryState = {}

  static getDerivedStateFromError(error: Error): LoadBoundaryState {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // The browser keeps a failed module, so only a reload requests it again.
    const told = new Error('This part of the page could not be loaded.', { cause: error })
    return <Failure error={told} onRetry={() => location.reload()} />
  }
}
