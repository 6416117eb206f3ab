
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    prefix character varying(16) NOT NULL,
    label character varying(255) NOT NULL,
    test boolean NOT NULL,
    scopes text NOT NULL,
    origins text NOT NULL,
    rate_limit integer NOT NULL,
    active boolean NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    visitor_limit integer,
    demo boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.api_keys_id_seq OWNED BY public.api_keys.id;
CREATE TABLE public.bundles (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    published boolean NOT NULL,
    product_id bigint,
    document text NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.catalogue_ghost_prices (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    country_code character varying(2) NOT NULL,
    price character varying(32) NOT NULL
);
CREATE TABLE public.catalogue_ghosts (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    product_id bigint NOT NULL,
    option_value character varying(64) NOT NULL,
    price character varying(32) NOT NULL,
    retired boolean NOT NULL
);
CREATE TABLE public.configured_bundles (
    number bigint NOT NULL,
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    bundle_id bigint NOT NULL,
    bundle_type character varying(32) NOT NULL,
    title text NOT NULL,
    product_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    country character varying(2),
    test boolean NOT NULL,
    unique_id character varying(32) NOT NULL,
    original character varying(32) NOT NULL,
    discounted character varying(32) NOT NULL,
    discount_type character varying(32) NOT NULL,
    discount_value character varying(32) NOT NULL,
    currency character varying(3) NOT NULL,
    items text NOT NULL,
    visitor_id character varying(36),
    experiment_id character varying(255),
    arm integer,
    configured_at bigint NOT NULL
);
CREATE SEQUENCE public.configured_bundles_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.configured_bundles_number_seq OWNED BY public.configured_bundles.number;
CREATE TABLE public.experiments (
    shop_id bigint NOT NULL,
    id character varying(255) NOT NULL,
    bundle_id bigint NOT NULL,
    document text NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.ghost_promises (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    price_list character varying(255) NOT NULL,
    country_code character varying(2) NOT NULL,
    promise character varying(32) NOT NULL,
    price character varying(32),
    priced_at bigint
);
CREATE TABLE public.ghost_subjects (
    shop_id bigint NOT NULL,
    kind character varying(32) NOT NULL,
    subject_id bigint NOT NULL,
    ghost_id bigint NOT NULL
);
CREATE TABLE public.ghost_variants (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    identity character varying(64) NOT NULL,
    product_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    last_used_at bigint NOT NULL,
    retired_at bigint,
    confirmed_at bigint DEFAULT '0'::bigint NOT NULL,
    marked boolean DEFAULT false NOT NULL,
    checked_at bigint DEFAULT '0'::bigint NOT NULL,
    check_at bigint DEFAULT '0'::bigint,
    claim character varying(32),
    broken_at bigint,
    bought_at bigint,
    gone_at bigint
);
CREATE SEQUENCE public.ghost_variants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ghost_variants_id_seq OWNED BY public.ghost_variants.id;
CREATE TABLE public.idempotency_keys (
    shop_id bigint NOT NULL,
    test boolean NOT NULL,
    method character varying(8) NOT NULL,
    path character varying(255) NOT NULL,
    key character varying(255) NOT NULL,
    body_digest character varying(64) NOT NULL,
    answer bytea NOT NULL,
    configured_bundle_id bigint NOT NULL,
    created_at bigint NOT NULL,
    encoding character varying(16) DEFAULT 'identity'::character varying NOT NULL
);
CREATE TABLE public.markets (
    shop_id bigint NOT NULL,
    country_code character varying(2) NOT NULL,
    document text NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.own_updates (
    shop_id bigint NOT NULL,
    product_id bigint NOT NULL,
    updated_at bigint NOT NULL,
    recorded_at bigint NOT NULL
);
CREATE TABLE public.platform_changes (
    number bigint NOT NULL,
    shop_id bigint NOT NULL,
    kind character varying(32) NOT NULL,
    subject_id bigint,
    recorded_at bigint NOT NULL
);
CREATE SEQUENCE public.platform_changes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.platform_changes_number_seq OWNED BY public.platform_changes.number;
CREATE TABLE public.platform_connections (
    shop_id bigint NOT NULL,
    sealed text NOT NULL,
    connected_at bigint NOT NULL
);
CREATE TABLE public.products (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    handle character varying(255) NOT NULL,
    document text NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.shopper_requests (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    kind character varying(16) NOT NULL,
    subject character varying(255) NOT NULL,
    reference character varying(64),
    received_at bigint NOT NULL,
    completed_at bigint
);
CREATE SEQUENCE public.shopper_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.shopper_requests_id_seq OWNED BY public.shopper_requests.id;
CREATE TABLE public.shops (
    id bigint NOT NULL,
    handle character varying(255) NOT NULL,
    headless_enabled boolean NOT NULL,
    revision bigint NOT NULL,
    document text NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE SEQUENCE public.shops_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.shops_id_seq OWNED BY public.shops.id;
CREATE TABLE public.stock_reminders (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    email character varying(254) NOT NULL,
    bundle_name text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.subscriptions (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    configured_bundle_id bigint NOT NULL,
    group_id bigint NOT NULL,
    frequency bigint NOT NULL,
    unit character varying(8) NOT NULL,
    email character varying(254) NOT NULL,
    status character varying(16) NOT NULL,
    next_date character varying(10),
    created_at bigint NOT NULL
);
CREATE SEQUENCE public.subscriptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.subscriptions_id_seq OWNED BY public.subscriptions.id;
CREATE TABLE public.usage_days (
    day bigint NOT NULL,
    shop character varying(255) NOT NULL,
    key_prefix character varying(16) NOT NULL,
    reads bigint NOT NULL,
    prices bigint NOT NULL,
    configures bigint NOT NULL,
    others bigint NOT NULL,
    refused bigint NOT NULL,
    failed bigint NOT NULL
);
CREATE TABLE public.usage_writers (
    writer character varying(32) NOT NULL,
    batch bigint NOT NULL,
    written_at bigint NOT NULL
);
CREATE TABLE public.variants (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    product_id bigint NOT NULL,
    generation bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.webhook_deliveries (
    shop_id bigint NOT NULL,
    delivery character varying(255) NOT NULL,
    received_at bigint NOT NULL,
    signature character varying(64),
    subject character varying(255)
);
ALTER TABLE ONLY public.api_keys ALTER COLUMN id SET DEFAULT nextval('public.api_keys_id_seq'::regclass);
ALTER TABLE ONLY public.configured_bundles ALTER COLUMN number SET DEFAULT nextval('public.configured_bundles_number_seq'::regclass);
ALTER TABLE ONLY public.ghost_variants ALTER COLUMN id SET DEFAULT nextval('public.ghost_variants_id_seq'::regclass);
ALTER TABLE ONLY public.platform_changes ALTER COLUMN number SET DEFAULT nextval('public.platform_changes_number_seq'::regclass);
ALTER TABLE ONLY public.shopper_requests ALTER COLUMN id SET DEFAULT nextval('public.shopper_requests_id_seq'::regclass);
ALTER TABLE ONLY public.shops ALTER COLUMN id SET DEFAULT nextval('public.shops_id_seq'::regclass);
ALTER TABLE ONLY public.subscriptions ALTER COLUMN id SET DEFAULT nextval('public.subscriptions_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0013');
INSERT INTO public.api_keys VALUES (1, 1, '33331a5168c3d8ba68c39bdb77e1989de22823f88fa4702bfdcfeab68f0dbeff', 'bnd_live_-U4HTyr', 'test', false, '["headless","embed"]', '[]', 1000000, true, 1795442261, 1795442264, NULL, false);
INSERT INTO public.bundles VALUES (1, 42, true, 900, '{"id":42,"name":"Box","description":"","image_url":"","type":"native","bundling_option":"bundles","published":true,"layout":"multiple-sections","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":{"type":"percentage","value":"10.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Shirts","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":7,"product_id":111,"variant_ids":[]}]},{"id":2,"name":"Mugs","description":"","image_url":"","order":1,"auto_next_section":false,"products":[{"bundle_item_id":8,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"optional","groups":[{"id":7,"name":"Monthly","options":[{"frequency":1,"unit":"month","discount":null},{"frequency":2,"unit":"week","discount":"5.00"}]}]},"translations":{}}', 0);
INSERT INTO public.bundles VALUES (1, 43, true, 901, '{"id":43,"name":"Pair","description":"","image_url":"","type":"multiple-products","bundling_option":"bundles","published":true,"layout":"single-page","product_id":901,"parent_variant_id":9011,"template_code":"default","discount":{"type":"fixed","value":"5.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Both","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":111,"variant_ids":[]},{"bundle_item_id":2,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}', 0);
INSERT INTO public.bundles VALUES (1, 44, false, 900, '{"id":44,"name":"Later","description":"","image_url":"","type":"native","bundling_option":"bundles","published":false,"layout":"single-page","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":null,"sections":[{"id":1,"name":"Mugs","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}', 0);
INSERT INTO public.catalogue_ghost_prices VALUES (1, 8853137769933570, 'JP', '3230.00');
INSERT INTO public.catalogue_ghosts VALUES (1, 8853137769933570, 901, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', '22.99', false);
INSERT INTO public.configured_bundles VALUES (1, 5087267213164650, 1, 42, 'native', 'Box', 900, 9001, NULL, false, 'bcb87ef4f27cd566770453d8e661f08b', '27.99', '25.19', 'percentage', '10.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795442264);
INSERT INTO public.configured_bundles VALUES (2, 3037692129252681, 1, 43, 'multiple-products', 'Pair', 901, 8853137769933570, 'JP', false, '46faaf01140108a772c54d886a0e29e4', '25.19', '20.19', 'fixed', '5.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795442264);
INSERT INTO public.experiments VALUES (1, 'exp-1', 42, '{"id":"exp-1","bundle_id":42,"arms":[{"bundle_id":42,"weight":"50"},{"bundle_id":43,"weight":"50"}]}', 0);
INSERT INTO public.ghost_promises VALUES (1, 8853137769933570, 'JP', 'JP', '20.19', '3230.00', 1795442264);
INSERT INTO public.ghost_subjects VALUES (1, 'bundle', 43, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 111, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 222, 1);
INSERT INTO public.ghost_variants VALUES (1, 1, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', 901, 8853137769933570, 1795442264, NULL, 1795442264, false, 1795442264, 1795528664, NULL, NULL, NULL, NULL);
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/42/configure', 'order-1', 'fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8', '\x789ced95d992a2481486df85be2d2b8092adee50595416514160ec2058124cf6d5122a7cf7467abac79e99ebb99868aee03f27cfc948cef7e727e2177908a3ae0681e3757990020706c83b81d2144e5238f686917392405f90ab5b43376fa728c2a02886bc20655d049dff97364a016cfca2cbdb5188d8c7b3a8179c6de14de344d66ad6abd56a9fcaaacb7992b095a9c16caba3b6b22279d85d6718ef58d149f5bc245137b63954cc0d0ac790095a3fbf3275b5883b460f0b942bdca590efad24a4f61b41cba9d2d759d6313e4c365ca0037be318b36a1b4b3c7d606176d03676436e629951e7fbe150efbd93f6b67348c1a657f1e648ae316523020d2b1ca84573538aeaabb59b999c5bc8baf431eba55ddc81ba144ed4298f3a05a43ddba82c718b15c3df3142ef3283389371ac8f22d0cccabe857a3f685bfe16b0db0a50c57061d3a5a064b4d28bf6ed2a2b7d8f2ff78cb712363c2e886936e498a1ed62bdafd3c8d22a73c618867b590c9b4ccc333d76e69ad7c192e03a4ae1e68ac60bbc0ba3c4a125e754e4f94d5d7f080b1d4b77703c0231551b7f661e4a391e22a1e5928a6552be19dcc8385e77878c8ee915ee4aed7a2e0ba17b49f22549db096511aa53271d2a0e344d77fb852a62545549dbccb9f5189cb7e6be11624222a3283a990c61f1f0fa21bf0517d1ef2ff8360133d129e1896dd6faa54a0b4de58bab1ea31b02d891b8cc41d7dd0e626d10e16affc62992c4db76af94b26337ed1266591f4246d96e998e0e0ea7665b9245cf81d24814af5a9125062b279433b4c4256fd76bd54d9603132709439fdd96b6492f19c196fc44d393dee2541688c4a20ec5988cd68c5503bfbce0e3bfe69dee88cfea260d023eb78c136ef34126d6451b936812b3b831a71b501e49eb348e93c2088ed9b0f480c62577dc63b9354e76d3798d5fc3b285453e4d3cf60000fa308f90f74fa4a861047337dd8d1218a71fa75e19e6090810fc8c10afd873e4d8970fb904b50ff2d68dc053cc70d3ee11c4d0d7092fbfab6b90fbfd2871fa1eb98f8a5bb78ffe29cc47745b9035c8fb1f9fc8b44114c55f90aa1bb1856dffe7868bb14f0b41f358f383f8c06dddb1e2dfa1fff2c0fc8be77b3405c27988537e40902445a173e22da0014962214a7bc8fdfef2bd1f3ea6ff27fdbebe206edbd6d0ebda5f0a8fefc8e7f91f75cf63caf9c9e81653f23a38ff8bcf9d7f1efd183dfff6b0df1ef6bff1b033324ef748660aa6d15e14b749993ce3fc308df38f4b7e4263728f0736df59c046ca7f4d98707f4ef8faa8968d0636d59f8ae745fbf4051fcbe6f8fd3e327cff06fe54cabe', 5087267213164650, 1795442264, 'deflate');
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/43/configure', 'order-2', '352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a', '\x789c6d935bb3a23a1046ff8bcfe354b8c3bc89205b404004455f2c2e010308181210a6e6bf8fee736a6a4f9d93c7b552dde9d4d73f1769dbe4a8a01866d78436590daf285bfce00027890acbb00a2bb0a2cc7c5b0c314671433eed4296058ee1a4d71585e304092cbe2d3adc6634fdd72b8079a10cf5694b1bf202c5ea7d54acea97736ffbd36eb2246360e69068b91290ea84f9549fdbf27ed142375a1b05adcbc61a06d04d83aa95a67f7f3a5b05714931dd363316a86654017a3ab3780c9830e964cbec58ef4003c5ca74fc64899682e949b2a80b968c710ac64767157ed506b1d3e84ba1c152b1b3e79b983d47eec3a99af8c42b8390f8bcb8e69cc4b8fb7aa07f0463a0dec9a88451617c14c9f352d9898278cfda9a271ae26bcf9f38565c9d24bfd6e4e304b4d2731e97c03f64a789ea901bc5ea3689a34dbcab199a1e0aec5d658c335dc72aa89264df3f7628f5dc43e158a6461818ca5d686aebdbd5eed4229156796ff98a56eab0b162297b7a600b2e1b8a238a5ae1569d3e8279881dbe38463c5356502f361de0361576755962e621072eb35aba171ca6c346dcd29877ec3d4cbcd3b947490f0f2d96eb6aa90a09b8e504ed409add9ac850b70a9e4d4dc6aa46fbfb4ddd3beb4bb47ad6b680f8c035466f1da6dc1cf75ba83a1a79fd68c46f4d65503ab49ff33c057b39b3a2b3290113a292d1fd6b9b8b7cbf614251c8489586ed31c9647250aee8d0f076c9a5a36a8bf31d927ba2d412f12e87c2bd0218ac147fbf3d57cbfd6a9bb29ccb59cc1e66202a72693c5f1bd7798c334bd6471988d3e45b1a5a65b9aa3a78b3b4cbfd6e571edd0313a6ecf878f407a9ae370ca146c7089e7976e257327b9af429461d416df399d886d6f53bc328454db1f8f173d16254a026aebd1782af00b3c27746f9926998fd31e06f134cdd1be7e809b32ff818d7f4cd85efe0bd2e29c51836e9f4227ae82f7ebd9bc31e36e40edf0bf3df07f08063feb73fc77e8a2f054deffc2e98c698fc33d9afdf002c4a4c', 3037692129252681, 1795442264, 'deflate');
INSERT INTO public.markets VALUES (1, 'JP', '{"country_code":"JP","currency":"JPY","exchange_rate":"160","price_adjustment":"-10","prices":{},"unavailable_variant_ids":[]}', 0);
INSERT INTO public.markets VALUES (1, 'US', '{"country_code":"US","currency":"USD","exchange_rate":"1.10","price_adjustment":"5","prices":{"1002":"21.00"},"unavailable_variant_ids":[2001]}', 0);
INSERT INTO public.own_updates VALUES (1, 111, 1, 1);
INSERT INTO public.platform_changes VALUES (1, 1, 'product', 111, 1);
INSERT INTO public.platform_connections VALUES (1, 'sealed', 1);
INSERT INTO public.products VALUES (1, 111, 'shirt', '{"id":111,"title":"Shirt","handle":"shirt","image_url":"","status":"ACTIVE","tags":["linen","bundlesvc:seasonal"],"description_html":"<p>Linen</p>","options":[{"name":"Size","values":["S","M"],"swatches":{"S":{"color":"#C02020","image_url":""}}}],"variants":[{"id":1001,"title":"S","price":"19.99","compare_at_price":null,"sku":"SH-S","inventory_tracked":true,"inventory_policy":"deny","inventory_quantity":5,"grams":200,"option_values":["S"],"image":null,"inventory_item_id":null,"product_id":0},{"id":1002,"title":"M","price":"19.99","compare_at_price":"25.00","sku":"SH-M","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":210,"option_values":["M"],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{"de":{"title":"Hemd","description_html":"","options":{}}}}', 0);
INSERT INTO public.products VALUES (1, 222, 'mug', '{"id":222,"title":"Mug","handle":"mug","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":2001,"title":"Default Title","price":"8.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":300,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}', 0);
INSERT INTO public.products VALUES (1, 900, 'gift-box', '{"id":900,"title":"Gift Box","handle":"gift-box","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9001,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}', 0);
INSERT INTO public.products VALUES (1, 901, 'pair', '{"id":901,"title":"Pair","handle":"pair","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9011,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}', 0);
INSERT INTO public.shopper_requests VALUES (1, 1, 'erase', 'mira@mail.example', '1', 1, NULL);
INSERT INTO public.shops VALUES (1, 'demo', true, 2, '{"handle":"demo","name":"Demo Shop","domain":"demo.example","locale":"en","headless_enabled":true,"active_features":["conditions","subscriptions"],"platform":{"kind":"embedded","domain":null},"templates":["default","compact"],"settings":{"currency":"EUR","money_format":"€{{amount}}","weight_unit":"kg"}}', 0);
INSERT INTO public.stock_reminders VALUES (1, 2001, 'mira@mail.example', 'Box', 1);
INSERT INTO public.subscriptions VALUES (1, 1, 5087267213164650, 7, 1, 'month', 'mira@mail.example', 'pending', '2026-12-23', 1795442264);
INSERT INTO public.usage_days VALUES (1795392000, 'demo', 'bnd_live_-U4HTyr', 0, 0, 2, 0, 0, 0);
INSERT INTO public.usage_writers VALUES ('bc7446f1fa91c42eb320b0123cba7788', 1, 1795442264);
INSERT INTO public.variants VALUES (1, 1001, 111, 0);
INSERT INTO public.variants VALUES (1, 1002, 111, 0);
INSERT INTO public.variants VALUES (1, 2001, 222, 0);
INSERT INTO public.variants VALUES (1, 9001, 900, 0);
INSERT INTO public.variants VALUES (1, 9011, 901, 0);
INSERT INTO public.webhook_deliveries VALUES (1, '1', 1, '0000000000000000000000000000000000000000000000000000000000000000', 'products/update');
SELECT pg_catalog.setval('public.api_keys_id_seq', 1, true);
SELECT pg_catalog.setval('public.configured_bundles_number_seq', 2, true);
SELECT pg_catalog.setval('public.ghost_variants_id_seq', 1, true);
SELECT pg_catalog.setval('public.platform_changes_number_seq', 1, true);
SELECT pg_catalog.setval('public.shopper_requests_id_seq', 1, true);
SELECT pg_catalog.setval('public.shops_id_seq', 1, true);
SELECT pg_catalog.setval('public.subscriptions_id_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (id);
ALTER TABLE ONLY public.bundles
    ADD CONSTRAINT pk_bundles PRIMARY KEY (shop_id, generation, id);
ALTER TABLE ONLY public.catalogue_ghost_prices
    ADD CONSTRAINT pk_catalogue_ghost_prices PRIMARY KEY (shop_id, variant_id, country_code);
ALTER TABLE ONLY public.catalogue_ghosts
    ADD CONSTRAINT pk_catalogue_ghosts PRIMARY KEY (shop_id, variant_id);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT pk_configured_bundles PRIMARY KEY (number);
ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT pk_experiments PRIMARY KEY (shop_id, generation, id);
ALTER TABLE ONLY public.ghost_promises
    ADD CONSTRAINT pk_ghost_promises PRIMARY KEY (shop_id, variant_id, price_list);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT pk_ghost_subjects PRIMARY KEY (shop_id, kind, subject_id, ghost_id);
ALTER TABLE ONLY public.ghost_variants
    ADD CONSTRAINT pk_ghost_variants PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (shop_id, test, method, path, key);
ALTER TABLE ONLY public.markets
    ADD CONSTRAINT pk_markets PRIMARY KEY (shop_id, generation, country_code);
ALTER TABLE ONLY public.own_updates
    ADD CONSTRAINT pk_own_updates PRIMARY KEY (shop_id, product_id, updated_at);
ALTER TABLE ONLY public.platform_changes
    ADD CONSTRAINT pk_platform_changes PRIMARY KEY (number);
ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT pk_platform_connections PRIMARY KEY (shop_id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT pk_products PRIMARY KEY (shop_id, generation, id);
ALTER TABLE ONLY public.shopper_requests
    ADD CONSTRAINT pk_shopper_requests PRIMARY KEY (id);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT pk_shops PRIMARY KEY (id);
ALTER TABLE ONLY public.stock_reminders
    ADD CONSTRAINT pk_stock_reminders PRIMARY KEY (shop_id, variant_id, email);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT pk_subscriptions PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT pk_usage_days PRIMARY KEY (day, shop, key_prefix);
ALTER TABLE ONLY public.usage_writers
    ADD CONSTRAINT pk_usage_writers PRIMARY KEY (writer);
ALTER TABLE ONLY public.variants
    ADD CONSTRAINT pk_variants PRIMARY KEY (shop_id, generation, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT pk_webhook_deliveries PRIMARY KEY (shop_id, delivery);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_digest UNIQUE (digest);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_prefix UNIQUE (prefix);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT uq_configured_bundles_id UNIQUE (id);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT uq_shops_handle UNIQUE (handle);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT uq_subscriptions_configured_bundle_id UNIQUE (configured_bundle_id);
CREATE INDEX ix_api_keys_shop_id ON public.api_keys USING btree (shop_id);
CREATE INDEX ix_bundles_shop_id_product_id ON public.bundles USING btree (shop_id, product_id);
CREATE INDEX ix_configured_bundles_answers ON public.configured_bundles USING btree (configured_at, number) WHERE (items ~~ '%"properties":{"%'::text);
CREATE INDEX ix_configured_bundles_configured_at ON public.configured_bundles USING btree (configured_at);
CREATE INDEX ix_configured_bundles_shop_id_variant_id_number ON public.configured_bundles USING btree (shop_id, variant_id, number);
CREATE INDEX ix_ghost_subjects_ghost_id ON public.ghost_subjects USING btree (ghost_id);
CREATE INDEX ix_ghost_variants_check_at ON public.ghost_variants USING btree (check_at);
CREATE INDEX ix_ghost_variants_shop_id_product_id_last_used_at ON public.ghost_variants USING btree (shop_id, product_id, last_used_at);
CREATE INDEX ix_ghost_variants_shop_id_variant_id ON public.ghost_variants USING btree (shop_id, variant_id);
CREATE INDEX ix_idempotency_keys_configured_bundle_id ON public.idempotency_keys USING btree (configured_bundle_id);
CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
CREATE INDEX ix_own_updates_recorded_at ON public.own_updates USING btree (recorded_at);
CREATE INDEX ix_platform_changes_recorded_at ON public.platform_changes USING btree (recorded_at);
CREATE INDEX ix_platform_changes_shop_id ON public.platform_changes USING btree (shop_id);
CREATE INDEX ix_products_shop_id_handle ON public.products USING btree (shop_id, handle);
CREATE INDEX ix_stock_reminders_created_at ON public.stock_reminders USING btree (created_at);
CREATE INDEX ix_stock_reminders_email ON public.stock_reminders USING btree (email);
CREATE INDEX ix_subscriptions_created_at ON public.subscriptions USING btree (created_at);
CREATE INDEX ix_subscriptions_shop_id_status ON public.subscriptions USING btree (shop_id, status);
CREATE INDEX ix_webhook_deliveries_received_at ON public.webhook_deliveries USING btree (received_at);
CREATE UNIQUE INDEX uq_catalogue_ghosts_option_value ON public.catalogue_ghosts USING btree (shop_id, product_id, option_value) WHERE (NOT retired);
CREATE UNIQUE INDEX uq_ghost_variants_in_use ON public.ghost_variants USING btree (shop_id, identity) WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX uq_shopper_requests_reference ON public.shopper_requests USING btree (shop_id, kind, reference);
CREATE UNIQUE INDEX uq_webhook_deliveries_signature ON public.webhook_deliveries USING btree (shop_id, signature);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.bundles
    ADD CONSTRAINT fk_bundles_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.catalogue_ghost_prices
    ADD CONSTRAINT fk_catalogue_ghost_prices_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.catalogue_ghosts
    ADD CONSTRAINT fk_catalogue_ghosts_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT fk_configured_bundles_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT fk_experiments_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_promises
    ADD CONSTRAINT fk_ghost_promises_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT fk_ghost_subjects_ghost_id FOREIGN KEY (ghost_id) REFERENCES public.ghost_variants(id);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT fk_ghost_subjects_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_variants
    ADD CONSTRAINT fk_ghost_variants_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT fk_idempotency_keys_configured_bundle_id FOREIGN KEY (configured_bundle_id) REFERENCES public.configured_bundles(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT fk_idempotency_keys_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.markets
    ADD CONSTRAINT fk_markets_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.own_updates
    ADD CONSTRAINT fk_own_updates_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.platform_changes
    ADD CONSTRAINT fk_platform_changes_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT fk_platform_connections_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT fk_products_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.shopper_requests
    ADD CONSTRAINT fk_shopper_requests_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.stock_reminders
    ADD CONSTRAINT fk_stock_reminders_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT fk_subscriptions_configured_bundle_id FOREIGN KEY (configured_bundle_id) REFERENCES public.configured_bundles(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT fk_subscriptions_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.variants
    ADD CONSTRAINT fk_variants_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT fk_webhook_deliveries_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
