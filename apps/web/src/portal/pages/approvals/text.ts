import { translated } from '../../../shared/i18n/messages.ts';

const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

export const text = translated({
  title: 'Approvals',
  list: 'Transactions that wait',
  about: 'Sales wait here while they are not approved automatically. Nothing of them moves until you decide.',
  nothing: 'No transaction waits.',
  age: 'Waits for',
  ageOf(minutes: number) {
    if (minutes < MINUTES_OF_HOUR) return `${minutes} min`;
    const hours = Math.floor(minutes / MINUTES_OF_HOUR);
    return hours < 2 * HOURS_OF_DAY ? `${hours} h` : `${Math.floor(hours / HOURS_OF_DAY)} days`;
  },
  type: 'Type',
  channel: 'Sales channel',
  seller: 'Seller',
  buyer: 'Buyer',
  volume: 'Volume, t',
  price: 'Price of one',
  from: (price: string) => `from ${price}`,
  worth: 'All of it',
  serials: 'Serials',
  range: (first: string, last: string) => `${first} to ${last}`,
  more: (first: string, count: number) => `${first}, ${count} more`,
  decision: 'Decision',
  others: (seller: string) => `${seller} decides`,
  theSeller: 'The seller',
  approve: 'Approve',
  reject: 'Reject',
  approveOf: (type: string, volume: string) => `Approve the ${type} of ${volume}`,
  rejectOf: (type: string, volume: string) => `Reject the ${type} of ${volume}`,
  buyerIs: (buyer: string) => `to ${buyer}`,
  approveWhy: 'It is carried out at once. This cannot be undone.',
  rejectWhy: 'The certificates stay where they are. This cannot be undone: the sales channel would have to ask anew.',
  failed: 'It was approved and failed: some of the certificates have expired meanwhile. Nothing moved.',
  cancel: 'Cancel',
  close: 'Close',
  details: 'Details',
  transaction: 'Transaction',
  issuance: 'Issuance',
  settings: 'How you sell',
  auto: 'Approve sales automatically',
  autoOn: 'Transactions that a sales channel starts for you are carried out at once.',
  autoOff: 'Each transaction that a sales channel starts for you waits here.',
  autoTurnOn: 'Approve sales automatically?',
  autoTurnOnWhy:
    'From now on your sales channels can sell, retire and offramp what is listed there without asking. ' +
    'Transactions that wait already go on waiting.',
  autoDo: 'Approve automatically from now on',
  name: 'Account holder',
  businessId: 'Business id',
  address: 'Address',
  changeAddress: 'Change the address',
  saveAddress: 'Save the address',
  street1: 'Street',
  street2: 'Second line',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
});
