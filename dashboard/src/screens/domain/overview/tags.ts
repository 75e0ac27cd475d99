/** The tags in a text with commas, each once: upper and lower case are the same. */
export function tagsIn(text: string): readonly string[] {
  const tags = new Map<string, string>()
  for (const part of text.split(',')) {
    const tag = part.trim()
    const key = tag.toLowerCase()
    if (tag !== '' && !tags.has(key)) tags.set(key, tag)
  }
  return [...tags.values()]
}
