/** The first stop of the Tab key: past the header. A fragment would be a screen's name, so it moves the focus itself. */
export function SkipLink() {
  return (
    <button
      type="button"
      className="skip-link"
      onClick={() => document.querySelector<HTMLElement>('main')?.focus()}
    >
      Skip to the content
    </button>
  )
}
