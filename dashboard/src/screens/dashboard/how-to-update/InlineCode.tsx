/** A sentence in which text in backticks is code. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split('`').map((piece, n) =>
    n % 2 === 0 ? (
      piece
    ) : (
      // The pieces of a text never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <code key={n} className="monospace">
        {piece}
      </code>
    ),
  )
}
