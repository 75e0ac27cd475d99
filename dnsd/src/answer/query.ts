/** A question of class IN that the zones are asked. */
export interface Query {
  /** Wire form, in the asker's letter case. */
  readonly qname: Buffer
  readonly qtype: number
}
