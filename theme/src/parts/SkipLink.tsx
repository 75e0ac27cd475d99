/** The first stop of the Tab key: skips the header. It moves the focus itself, because URL fragments name screens. */
export function SkipLink() {
  return (
    <button
      type="button"
      className="skip-link"
      onClick={() => document.querySelector<HTMLElement>('main')?.focus()}
    >
      Skip to content
    </button>
  )
}
