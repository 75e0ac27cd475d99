// Runs before the first paint, so that users of the dark scheme see no white flash. MUI's
// ThemeProvider reads and writes the same attribute and storage key afterwards. This is a separate
// file because the pages' Content Security Policy forbids inline scripts.
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('mui-mode') || mode
  } catch {
    // The browser can block storage. The system setting then applies.
  }
  if (mode === 'system')
    mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.setAttribute(mode === 'dark' ? 'data-dark' : 'data-light', '')
})()
