// Runs before the app: asks the service for what the dashboard reads first, while the scripts of the app are on their way.
// `api/ahead.ts` gives the answers to the app. A separate file, as the pages' Content Security Policy forbids inline scripts.
;(function () {
  var user = null
  try {
    user = JSON.parse(localStorage.getItem('user') || 'null')
  } catch {
    // The browser can block storage, and anybody can write to it.
  }
  var isDashboard =
    /^\/(dashboard)?$/.test(location.pathname) && /^(#dashboard)?$/.test(location.hash)
  if (!isDashboard || location.search !== '' || !user || user.account_type === 'admin') return
  // A newer URL of these calls in the app would only make them twice; a test compares them.
  var urls = [
    '/api/me',
    '/api/domains?sort=%5B%22fqdn%22%2C%22ASC%22%5D&range=%5B0%2C49%5D',
    '/api/me/notices',
    '/api/zones/available',
  ]
  var answers = new Map()
  globalThis.homingAhead = { askedAt: performance.now(), answers: answers }
  urls.forEach(function (url) {
    var answer = fetch(url)
    // The app handles the failure, if it still needs the answer.
    answer.catch(function () {})
    answers.set(url, answer)
  })
})()
