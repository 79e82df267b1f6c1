/** In small letters, without separators: the names that the contract marks, and what they are called elsewhere. */
const PERSONAL_NAMES = new Set([
  'billingdetails',
  'shippingdetails',
  'firstname',
  'lastname',
  'email',
  'emailaddress',
  'phone',
  'phonenumber',
  'address',
  'taxid',
  'passport',
  'passportnumber',
  'frequentflyernumber',
  'dateofbirth',
  'birthdate',
  'givenname',
  'middlename',
  'familyname',
  'surname',
  'fullname',
  'holdername',
  'cardholdername',
  'accountholdername',
  'mobile',
  'mobilenumber',
  'streetaddress',
  'street',
  'housenumber',
  'housenumberorname',
  'line1',
  'line2',
  'line3',
  'addressline1',
  'addressline2',
  'addressline3',
  'addressstreet',
  'addresscity',
  'addresszip',
  'addresszipcode',
  'addresspostalcode',
  'zip',
  'zipcode',
  'postalcode',
  'postcode',
  'recipientname',
  'contactname',
  'customername',
  'buyername',
  'payername',
  'nameoncard',
  'iban',
  'cardnumber',
  'accountnumber',
  'bankaccountnumber',
  'nationalid',
  'nationalidnumber',
  'identitynumber',
]);

/**
 * Whether a member of this name holds personal data by the contract, wherever it is: for what is not a document of the contract,
 * such as a response that is cut. A document is masked by the marks of its operation.
 */
export function isPersonalName(name: string): boolean {
  return PERSONAL_NAMES.has(
    name
      .slice(-200)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
}
