/** Sales channel of the demonstration, with its account holder and traders. */
export interface SampleChannel {
  /** Prefix of the names of its users. */
  readonly slug: string;
  readonly name: string;
  readonly holder: {
    readonly name: string;
    readonly businessId: string;
    readonly city: string;
    readonly country: string;
    readonly postalCode: string;
    readonly street1: string;
  };
  readonly traders: readonly SampleTrader[];
}

export interface SampleTrader {
  readonly name: string;
  readonly businessId: string;
  readonly city: string;
  readonly country: string;
}

export const aurora: SampleChannel = {
  slug: 'aurora',
  name: 'Aurora Marketplace',
  holder: {
    name: 'Northern Biochar Oy',
    businessId: 'FI-2874113-4',
    city: 'Tampere',
    country: 'Finland',
    postalCode: '33100',
    street1: 'Hatanpaankatu 3',
  },
  traders: [
    { name: 'Borealis Airlines', businessId: 'DK-30588219', city: 'Copenhagen', country: 'Denmark' },
    { name: 'Kestrel Offsets GmbH', businessId: 'DE-811569869', city: 'Hamburg', country: 'Germany' },
  ],
};

export const harbour: SampleChannel = {
  slug: 'harbour',
  name: 'Harbour Bank',
  holder: {
    name: 'Savanna Carbon Ltd',
    businessId: 'NA-2019-0457',
    city: 'Windhoek',
    country: 'Namibia',
    postalCode: '10005',
    street1: 'Independence Avenue 12',
  },
  traders: [
    { name: 'Harbour Treasury', businessId: 'GB-09446231', city: 'London', country: 'United Kingdom' },
    { name: 'Meridian Shipping', businessId: 'GR-094259216', city: 'Piraeus', country: 'Greece' },
  ],
};
