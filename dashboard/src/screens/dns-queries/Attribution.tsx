/** The sources of countries and networks. Their licence, CC BY 4.0, asks pages that show results to name them. */
export function Attribution() {
  return (
    <p className="muted query-sources">
      Countries are from statistics of the <a href="https://www.nro.net/">NRO</a>; networks are from{' '}
      <a href="https://www.routeviews.org/">Route Views</a>,{' '}
      <a href="https://db-ip.com">IP Geolocation by DB-IP</a> and the NRO. Client addresses are not
      stored.
    </p>
  )
}
