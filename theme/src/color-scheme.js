// Runs before the page is painted, so that nobody who chose dark sees a white flash. The attribute
// and the storage key are those that MUI's ThemeProvider reads and writes afterwards. A file of
// its own, because the pages' security policy lets no inline script run.
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('mui-mode') || mode
  } catch {
    // Storage can be closed to pages; the system's choice holds then.
  }
  if (mode === 'system')
    mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.setAttribute(mode === 'dark' ? 'data-dark' : 'data-light', '')
})()
