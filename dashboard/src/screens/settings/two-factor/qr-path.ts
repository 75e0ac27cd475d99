/**
 * The dark modules of a QR code as one SVG path: a rectangle for each run in a row.
 *
 * @param rows one text for each row; `1` is dark
 */
export const qrPath = (rows: readonly string[]): string =>
  rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
      ),
    )
    .join('')
