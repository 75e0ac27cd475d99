/** Compresses built files once, at the highest level, instead of at each request. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Fonts and images are already compressed. */
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg'])
/** For smaller files, the headers are larger than the savings. */
const WORTHWHILE_BYTES = 512

/** Writes a `.br` and a `.gz` beside every text file of a folder; the server sends the one that a browser accepts. */
export function compressFolder(folder: string): void {
  for (const file of globSync('**/*', { cwd: folder })) {
    if (!COMPRESSIBLE.has(extname(file))) continue
    const path = join(folder, file)
    const content = readFileSync(path)
    if (content.length < WORTHWHILE_BYTES) continue
    const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: hint }))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}
