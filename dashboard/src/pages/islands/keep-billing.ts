const ANNUAL = 'annual'

/** Keeps the switch between monthly and annual prices in the URL: `/pricing?billing=annual`. */
export function keepBilling(): void {
  const year = document.querySelector<HTMLInputElement>('#billing-year')
  const month = document.querySelector<HTMLInputElement>('#billing-month')
  if (year === null || month === null) return
  // A browser that goes back restores the switch itself.
  const isAnnual = new URLSearchParams(location.search).get('billing') === ANNUAL
  year.checked = isAnnual
  month.checked = !isAnnual
  for (const choice of [month, year]) {
    choice.addEventListener('change', () => {
      const url = new URL(location.href)
      if (year.checked) url.searchParams.set('billing', ANNUAL)
      else url.searchParams.delete('billing')
      history.replaceState(null, '', url)
    })
  }
}
