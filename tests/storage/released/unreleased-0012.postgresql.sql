
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
INSERT INTO public.alembic_version VALUES ('0012');
INSERT INTO public.api_keys VALUES (1, 1, '4dfb3d323b1d8f8528c3ba46c63e46d26e63e8cdfd708bf3eb6c6233899148f3', 'bnd_live_XGDgL5Y', 'test', false, '["headless","embed"]', '[]', 1000000, true, 1795354408, 1795354412, NULL, false);
INSERT INTO public.bundles VALUES (1, 42, true, 900, '{"id":42,"name":"Box","description":"","image_url":"","type":"native","bundling_option":"bundles","published":true,"layout":"multiple-sections","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":{"type":"percentage","value":"10.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Shirts","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":7,"product_id":111,"variant_ids":[]}]},{"id":2,"name":"Mugs","description":"","image_url":"","order":1,"auto_next_section":false,"products":[{"bundle_item_id":8,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"optional","groups":[{"id":7,"name":"Monthly","options":[{"frequency":1,"unit":"month","discount":null},{"frequency":2,"unit":"week","discount":"5.00"}]}]},"translations":{}}', 0);
INSERT INTO public.bundles VALUES (1, 43, true, 901, '{"id":43,"name":"Pair","description":"","image_url":"","type":"multiple-products","bundling_option":"bundles","published":true,"layout":"single-page","product_id":901,"parent_variant_id":9011,"template_code":"default","discount":{"type":"fixed","value":"5.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Both","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":111,"variant_ids":[]},{"bundle_item_id":2,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}', 0);
INSERT INTO public.bundles VALUES (1, 44, false, 900, '{"id":44,"name":"Later","description":"","image_url":"","type":"native","bundling_option":"bundles","published":false,"layout":"single-page","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":null,"sections":[{"id":1,"name":"Mugs","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}', 0);
INSERT INTO public.catalogue_ghost_prices VALUES (1, 8683012089016569, 'JP', '3230.00');
INSERT INTO public.catalogue_ghosts VALUES (1, 8683012089016569, 901, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', '22.99', false);
INSERT INTO public.configured_bundles VALUES (1, 1076106485759743, 1, 42, 'native', 'Box', 900, 9001, NULL, false, '3b2bd1185664d786a2a9e1549ff1afd2', '27.99', '25.19', 'percentage', '10.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795354411);
INSERT INTO public.configured_bundles VALUES (2, 361671677555323, 1, 43, 'multiple-products', 'Pair', 901, 8683012089016569, 'JP', false, '944c8743db3074c00728e0ad3a2b0a4e', '25.19', '20.19', 'fixed', '5.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795354412);
INSERT INTO public.experiments VALUES (1, 'exp-1', 42, '{"id":"exp-1","bundle_id":42,"arms":[{"bundle_id":42,"weight":"50"},{"bundle_id":43,"weight":"50"}]}', 0);
INSERT INTO public.ghost_promises VALUES (1, 8683012089016569, 'JP', 'JP', '20.19', '3230.00', 1795354412);
INSERT INTO public.ghost_subjects VALUES (1, 'bundle', 43, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 111, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 222, 1);
INSERT INTO public.ghost_variants VALUES (1, 1, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', 901, 8683012089016569, 1795354412, NULL, 1795354412, false, 1795354412, 1795440812, NULL, NULL, NULL, NULL);
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/42/configure', 'order-1', 'fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8', '\x789ced955d93a2381486ff0b73db7401024adfa1d282a0a2e207ac535680a0b1918f90a07497ff7d823d336bd7eee5d65e0d57e13d27e7a4c8fb1c3eb828cf1274a018c6fb9066710af728e65e44a1ab8a822af794aea275e5ce1357038c4046ee514e1304917be20a9cc734fa5b63528caa28a71961c2416f9f3ed6690ffbba7c4985d9b157c85a6316f578635bd09a0a97421a05e34e3d98976744285c87599d38a73c3256c49f1eb54001eed87078926bf2a1b944a3b0086970b5a0697beed192cf0a4ccf953b49a71eb578ab8af64ee83495ace041b74e74830a4dd035e6b9c43bc15b4ff1affa661ef4de61b211df8c9e100ce5798accc676cb7adbf123dde3cb7cab8e0d77db3129a9eb7098d1d3c58a3aa53a3426bcf73a3786ca05ce92b3608a22d4780fa2b7e4d5954addec027f2dc4d7be7d2efd050afc78316fe633d94b4eb617cebcc36834b796c2e0584799ed1017f74f8aa14fcc6b23bfc39159e7ef55b49d866fce5ae7b145f3ab37ccd4ea28e87b7edf5d51000a6b76181483552acbf67e7a18284b5c1751112c1432cc054b5ce82922eb99a47b920f7bee04b93cc0c3c8a985a5e63a2738ca1679166cafa9a154827f047bb278cb628a134b4a9a71a8069154795e9de681c8aefc8449775aed79cda9ccd9c515f4d7014f815e96a8819078d6341686fca08f251b12faea87ec4cb9ad5dc481bdb7dc51ba9ca84939aea61bc790237eb35ac2b087e27a62fbb18fa9895103e4c942ddcad77529f81d66b1c229a8a20f3be7d4a98de070994c8cfc6279de1c02b3755645c32ac2a82028cf3e3dda1a1045283b702f1f5c8ed101652075990499fba4eeb3a63d1812c6bf23cab3f818f19aa2950b8823981170800fb13548691b1485e7bbbd238a31cca28649c66ac1dd98023069fba72863e81078aeb897bf3eb84f8804e9892b29c30691e6e78173d6872058b57b7e11170302ee4dbe42f7adc5ec5b2794c258147b8aaaca71b7a70209685054642d494490c41277bb3d7df69358faffd2effb130708c128a4e44b61b6e63e76ffa8bb6329bb8741d3bf275bf1ee5fe6cceef7a767d1dd9f19f26786fc673364c7317731325278b7563fbfde953bb3bb16daddaf9fdc4f6b327a5bdb7e7a5164947d4db8e3f698f0bdad766603e45eff5e3ccbc9c31b6ab7c9d2edc618bafd0026566d48', 1076106485759743, 1795354411, 'deflate');
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/43/configure', 'order-2', '352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a', '\x789c6d935d6fa2401486ff0bd7a5e1430436d90bc0aa40055144e186c0803014061c665468fadf17bb9b4d9bddc95c3d6ff29e33c933ef0c68d1191614e7599c5294d5790c33e68738e7e7f27465499244417c62ae098609229f21a3cc1591e3054e51397e2ecd55e689e9709b51f0279ff08432d88396223281427b1c1d6b54e95b99ad5d24e7b1e31875be586c2088034e86aea4ec8fac6343703e18e6baece2a2e12d7144ab36da96f64a293bff1a8c175735b4c565ddb25ec25bfe6ee99755e5943bba0f14b6f7dabb632b67ccb2e900c89c33856a75922fb3db926ebc408f5b590297825b46d434f943287101b53616aaab17b43233a7de0f66a95f7c39d3616d0ea39b22d5cc472525d7da1f55baa403c7376b56c58d701d47d0df8ace43d6ca6b5e955b459678038ba0c37597b588bbb962d0c7d19696ec8ebd93465c75ed6e16dc7023cd2910baf168b40a520e1117c47e9289b1ce866117af5fb734b9b51b671c6c5f34b29c98ae4ee453604a30182b23f57584a0df74c4b94d3b1ded563bcce8513fe206c9ea4b189cd71e5110389fca202d9bc6d5dea2304356f47612cc388ff1d1b8cb7757f62ed1eb8ddfbf92f42de767b60930dd93ca666b4037ddddab9ca1398e821f25f6aa52229eab9cd13cd1b608214ad8747b55472de016f2ec64ee0c6d57432d3493fb4c1e4f8b98741bddda6fc39f93053d4d7b806147608b3eed40b4ae1fbe400051c1fc78675a0c8ba9b3de4e289f6411a4675efde24f9efd4db8ef893f740f7c86f73cfb8283a4a60f2e3d73dc8401c538476098c8cb61c77c3c86e77d8e48933fe4fc77811927f2ff9d3ffd04fe7ba1b50d1f8520c1e4f7cb3e7e01b86b1aeb', 361671677555323, 1795354412, 'deflate');
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
INSERT INTO public.subscriptions VALUES (1, 1, 1076106485759743, 7, 1, 'month', 'mira@mail.example', 'pending', '2026-12-22', 1795354411);
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
