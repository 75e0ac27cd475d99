import { type ComponentType, createElement, lazy, useState } from 'react'

interface Preloadable<Props extends object> {
  /** Must be inside a `Suspense`. */
  readonly Part: ComponentType<Props>
  /** Loads the code before it is needed. @throws TypeError if it cannot be loaded */
  readonly preload: () => Promise<void>
}

/**
 * A component whose code loads later. If it is loaded, it renders at once; `lazy` alone suspends first, and React then
 * waits up to 300 ms before it shows the component.
 */
export function preloadable<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | undefined
  async function loadOnce() {
    const code = await load()
    loaded = code.default
    return code
  }
  const Later = lazy(loadOnce) as ComponentType<Props>
  function Part(props: Props) {
    // A change of the component would lose its state.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Later)
    return createElement(Chosen, props)
  }
  return { Part, preload: async () => void (await loadOnce()) }
}
